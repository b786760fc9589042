// The baton as a reordering scheme: order, and a window that never moves back.

#include "penstock/queue/baton_reorder.hpp"

#include <cstddef>
#include <cstdint>

#include "explorer/mutant.hpp"
#include "explorer/scenario.hpp"
#include "explorer/scenarios/sim_reorder.hpp"

namespace penstock::explorer {
namespace {

using NoRelease = Mutant<SimSync, {.no_release = true}>;
using NoAcquire = Mutant<SimSync, {.no_acquire = true}>;

// One member function each is replaced by a faulty one; everything else is what is shipped.
struct MovesOnAfterTheBaton : SimSync {};
struct KnowsNoWindow : SimSync {};

template <typename Sync>
using SimBaton = queue::BatonReorder<std::uint64_t, Sync>;

}  // namespace
}  // namespace penstock::explorer

namespace penstock::queue {

template <>
auto explorer::SimBaton<explorer::MovesOnAfterTheBaton>::depart(std::uint64_t serial) noexcept
    -> Waiting* {
  Waiting* const waiting = ring_.depart(serial);
  next_.store(serial + 1, std::memory_order_release);
  return waiting;
}

template <>
bool explorer::SimBaton<explorer::KnowsNoWindow>::has_room_for(
    std::uint64_t /*serial*/) const noexcept {
  return true;
}

}  // namespace penstock::queue

namespace penstock::explorer {
namespace {

template <typename Sync, std::size_t kWindow>
void units_leave_in_order() {
  SimBaton<Sync> reorder(kWindow);
  bring_all(reorder, 3, 7);
}

const Registered kRoomForAll({
    .name = "baton_reorder.room_for_all",
    .body = units_leave_in_order<SimSync, 8>,
    .mutants = {{"no release", units_leave_in_order<NoRelease, 8>},
                {"no acquire", units_leave_in_order<NoAcquire, 8>},
                {"moves on after the baton", units_leave_in_order<MovesOnAfterTheBaton, 8>}},
});
const Registered kWindowTwo({
    .name = "baton_reorder.window_2",
    .body = units_leave_in_order<SimSync, 2>,
    .mutants = {{"no release", units_leave_in_order<NoRelease, 2>},
                {"moves on after the baton", units_leave_in_order<MovesOnAfterTheBaton, 2>},
                {"knows no window", units_leave_in_order<KnowsNoWindow, 2>}},
});
const Registered kWindowOne({
    .name = "baton_reorder.window_1",
    .body = units_leave_in_order<SimSync, 1>,
    .mutants = {{"knows no window", units_leave_in_order<KnowsNoWindow, 1>}},
});

}  // namespace
}  // namespace penstock::explorer
