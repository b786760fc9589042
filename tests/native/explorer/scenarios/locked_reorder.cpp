// The lock-based reordering scheme.

#include "penstock/queue/locked_reorder.hpp"

#include <cstdint>

#include "explorer/scenario.hpp"
#include "explorer/scenarios/sim_reorder.hpp"

namespace penstock::explorer {
namespace {

struct NoLock : SimSync {
  struct Mutex {
    void lock() noexcept {}
    void unlock() noexcept {}
    [[nodiscard]] bool try_lock() noexcept { return true; }
  };
};

template <typename Sync>
void units_leave_in_order() {
  queue::LockedReorder<std::uint64_t, Sync> reorder(2);
  bring_all(reorder, 3, 7);
}

const Registered kLocked({
    .name = "locked_reorder",
    .body = units_leave_in_order<SimSync>,
    .mutants = {{"no lock", units_leave_in_order<NoLock>}},
});

}  // namespace
}  // namespace penstock::explorer
