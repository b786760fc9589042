// The non-blocking reorder buffer: order, and no ready unit left behind (A27, A28, X1).

#include "penstock/queue/reorder_buffer.hpp"

#include <cstddef>
#include <cstdint>

#include "explorer/mutant.hpp"
#include "explorer/scenario.hpp"
#include "explorer/scenarios/sim_reorder.hpp"

namespace penstock::explorer {
namespace {

using NoSeqCst = Mutant<SimSync, {.no_seq_cst = true}>;
using NoRelease = Mutant<SimSync, {.no_release = true}>;
using NoAcquire = Mutant<SimSync, {.no_acquire = true}>;
using NeverRefuses = Mutant<SimSync, {.deaf_flags = true}>;

// One member function each is replaced by a faulty one; everything else is what is shipped.
struct LeavesNoTraceOfNothing : SimSync {};
struct NeverLooksAgain : SimSync {};
struct MovesOnBeforeItEmpties : SimSync {};
struct KnowsNoWindow : SimSync {};

template <typename Sync>
using SimBuffer = queue::ReorderBuffer<std::uint64_t, Sync>;

}  // namespace
}  // namespace penstock::explorer

namespace penstock::queue {

template <>
bool explorer::SimBuffer<explorer::LeavesNoTraceOfNothing>::try_add_nothing(
    std::uint64_t serial) noexcept {
  return slot_of(serial) != nullptr;
}

template <>
bool explorer::SimBuffer<explorer::NeverLooksAgain>::is_ready(
    std::uint64_t /*next*/) const noexcept {
  return false;
}

template <>
void explorer::SimBuffer<explorer::MovesOnBeforeItEmpties>::move_past(
    Slot& slot, std::uint64_t serial) noexcept {
  next_.store(serial + 1, std::memory_order_seq_cst);
  slot.holds.store(Holds::kNone, std::memory_order_seq_cst);
}

template <>
auto explorer::SimBuffer<explorer::KnowsNoWindow>::slot_of(std::uint64_t serial) noexcept -> Slot* {
  return &slots_[serial & mask_];
}

}  // namespace penstock::queue

namespace penstock::explorer {
namespace {

template <typename Sync, std::size_t kWindow, std::size_t kBurst = 64>
void two_workers() {
  SimBuffer<Sync> buffer(kWindow, kBurst);
  bring_all(buffer, 2, 6);
}

template <typename Sync, std::size_t kWindow, std::size_t kBurst = 64>
void three_workers() {
  SimBuffer<Sync> buffer(kWindow, kBurst);
  bring_all(buffer, 3, 7);
}

const Registered kRoomForAll({
    .name = "reorder_buffer.room_for_all",
    .body = three_workers<SimSync, 8>,
    .mutants = {{"acquire and release only", three_workers<NoSeqCst, 8>},
                {"never looks again", three_workers<NeverLooksAgain, 8>},
                {"leaves no trace of nothing", three_workers<LeavesNoTraceOfNothing, 8>},
                {"never refuses the flag", three_workers<NeverRefuses, 8>},
                {"no release", three_workers<NoRelease, 8>},
                {"no acquire", three_workers<NoAcquire, 8>}},
});
const Registered kWindowTwo({
    .name = "reorder_buffer.window_2",
    .body = two_workers<SimSync, 2>,
    .mutants = {{"acquire and release only", two_workers<NoSeqCst, 2>},
                {"moves on before it empties", two_workers<MovesOnBeforeItEmpties, 2>},
                {"knows no window", two_workers<KnowsNoWindow, 2>}},
});
const Registered kWindowOne({
    .name = "reorder_buffer.window_1",
    .body = two_workers<SimSync, 1>,
    .mutants = {{"moves on before it empties", two_workers<MovesOnBeforeItEmpties, 1>},
                {"leaves no trace of nothing", two_workers<LeavesNoTraceOfNothing, 1>},
                {"no release", two_workers<NoRelease, 1>}},
});
const Registered kHandOver({
    .name = "reorder_buffer.burst_1",
    .body = three_workers<SimSync, 4, 1>,
    .mutants = {{"acquire and release only", three_workers<NoSeqCst, 4, 1>},
                {"never looks again", three_workers<NeverLooksAgain, 4, 1>}},
});

}  // namespace
}  // namespace penstock::explorer
