// Must be reported by ThreadSanitizer: a role flag that gives the role back without a release.

#include "penstock/base/thread.hpp"
#include "penstock/queue/role_flag.hpp"

#include "explorer/mutant.hpp"

int main() {
  using penstock::base::RealSync;
  using Broken = penstock::explorer::Mutant<RealSync, {.no_release = true}>;
  penstock::queue::RoleFlag<Broken> role;
  int takes = 0;
  const auto take = [&] {
    for (int i = 0; i < 1'000; ++i) {
      if (const auto held = role.try_take()) ++takes;
      RealSync::yield();
    }
  };
  const penstock::base::Thread other({.name = "other"}, take);
  take();
}
