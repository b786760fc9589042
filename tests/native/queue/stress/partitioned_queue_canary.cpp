// Must be reported by ThreadSanitizer: a partitioned queue that publishes without a release.

#include <cstddef>

#include "penstock/base/thread.hpp"
#include "penstock/queue/partitioned_queue.hpp"

#include "explorer/mutant.hpp"

int main() {
  using penstock::base::RealSync;
  using Broken = penstock::explorer::Mutant<RealSync, {.no_release = true}>;
  constexpr int kItems = 1'000;
  penstock::queue::PartitionedQueue<int, Broken> queue(16, 2);
  const penstock::base::Thread producing({.name = "producer"}, [&] {
    auto producer = *queue.try_produce();
    for (int item = 0; item < kItems;) {
      producer.try_push(0, item) ? static_cast<void>(++item) : RealSync::yield();
    }
  });
  int in_order = 0;
  int done = 0;
  const auto work = [&](std::size_t, int&& item) noexcept { in_order += item == done++ ? 1 : 0; };
  while (done < kItems) {
    if (!queue.try_work(0, work)) RealSync::yield();
  }
  return in_order == kItems ? 0 : 1;
}
