// Must be reported by ThreadSanitizer: a free list that passes the turn on without a release.

#include "penstock/base/thread.hpp"
#include "penstock/queue/bounded_mpmc.hpp"

#include "explorer/mutant.hpp"

int main() {
  using penstock::base::RealSync;
  using Broken = penstock::explorer::Mutant<RealSync, {.no_release = true}>;
  constexpr int kItems = 1'000;
  penstock::queue::BoundedMpmc<int, Broken> list(16);
  const penstock::base::Thread producing({.name = "producer"}, [&] {
    for (int i = 0; i < kItems;) list.try_push(i) ? static_cast<void>(++i) : RealSync::yield();
  });
  int in_order = 0;
  for (int i = 0; i < kItems;) {
    if (const auto item = list.try_pop()) {
      in_order += *item == i++ ? 1 : 0;
    } else {
      RealSync::yield();
    }
  }
  return in_order == kItems ? 0 : 1;
}
