// A paused station is taken up by another thread (A38): what one wrote the other reads, nothing is
// lost or overtaken, and nobody is forgotten.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "penstock/schedule/carrier.hpp"
#include "penstock/schedule/crew.hpp"
#include "penstock/schedule/doorbell.hpp"
#include "penstock/schedule/port_line.hpp"

#include "explorer/mutant.hpp"
#include "explorer/scenario.hpp"
#include "explorer/scenarios/pausing_line.hpp"

namespace penstock::explorer {
namespace {

using NoFences = Mutant<SimSync, {.no_fences = true}>;
using NoRelease = Mutant<SimSync, {.no_release = true}>;

// One member function each is replaced by a faulty one; everything else is what is shipped.
struct ForgetsThePaused : SimSync {};
struct LeavesBeforeTheSlice : SimSync {};
struct TakesThePausedAlong : SimSync {};
struct PutsUpBeforeLeaving : SimSync {};

template <typename Sync>
using Ports = schedule::PortLine<PausingLine<Sync>, Sync>;

}  // namespace
}  // namespace penstock::explorer

namespace penstock::schedule {

template <>
void explorer::Ports<explorer::ForgetsThePaused>::stop_serving(Turn& turn) noexcept {
  ports_[turn.station_]->served.store(false, std::memory_order_relaxed);
  turn.consumer_.reset();
  explorer::ForgetsThePaused::fence_seq_cst();
  if (turn.station_ > 0) put_up(turn.station_ - 1);
}

template <>
void explorer::Ports<explorer::PutsUpBeforeLeaving>::stop_serving(Turn& turn) noexcept {
  ports_[turn.station_]->served.store(false, std::memory_order_relaxed);
  explorer::PutsUpBeforeLeaving::fence_seq_cst();
  put_up(turn.station_);
  if (turn.station_ > 0) put_up(turn.station_ - 1);
  turn.consumer_.reset();
}

template <>
bool explorer::Ports<explorer::LeavesBeforeTheSlice>::serve_inner(Turn& turn) noexcept {
  auto next = producer(turn.station_ + 1);
  const auto waiting = turn.consumer_->front_run(1);
  if (waiting.empty()) return false;
  const auto room = next.reserve(1);
  if (room.empty()) return true;
  Run* const run = explorer::LeavesBeforeTheSlice::read(waiting[0]);
  {
    // Whoever comes now finds a station that is still at work.
    turn.consumer_.reset();
    const bool done = work_some(*line_, static_cast<int>(turn.station_), *run);
    while (!turn.consumer_) {
      turn.consumer_ = ports_[turn.station_]->queue.try_consume();
      if (!turn.consumer_) explorer::LeavesBeforeTheSlice::yield();
    }
    if (!done) return false;
  }
  explorer::LeavesBeforeTheSlice::write(room[0]) = run;
  if (!turn.consumer_->front_run(1).empty()) turn.consumer_->release(1);
  next.commit(1);
  explorer::LeavesBeforeTheSlice::fence_seq_cst();
  return true;
}

template <>
bool explorer::Ports<explorer::TakesThePausedAlong>::serve_inner(Turn& turn) noexcept {
  auto next = producer(turn.station_ + 1);
  const auto waiting = turn.consumer_->front_run(1);
  if (waiting.empty()) return false;
  const auto room = next.reserve(1);
  if (room.empty()) return true;
  Run* const run = explorer::TakesThePausedAlong::read(waiting[0]);
  const bool done = work_some(*line_, static_cast<int>(turn.station_), *run);
  turn.consumer_->release(1);
  if (!done) return false;
  explorer::TakesThePausedAlong::write(room[0]) = run;
  next.commit(1);
  explorer::TakesThePausedAlong::fence_seq_cst();
  return true;
}

}  // namespace penstock::schedule

namespace penstock::explorer {
namespace {

// Two workers, and a feeder that cannot make good what they miss.
template <typename Sync>
void a_paused_station_is_taken_up_again() {
  PausingLine<Sync> line("ss");
  schedule::Doorbell<Sync> doorbell;
  Ports<Sync> ports(line, {.window = 2, .capacity = 1, .budget = 1, .head_start = {}}, doorbell);
  schedule::Crew<Ports<Sync>, Sync> crew("worker", ports, doorbell);
  crew.set_level(2);
  feed<Sync>(ports, line.stations(), 3, [&] {
    (void)doorbell.feeder_sleep([] { return typename Ports<Sync>::Turn(); },
                                [&] { return ports.collectable(); });
  });
}

// The feeder helps, and more than one run waits where another one pauses.
template <typename Sync>
void the_feeder_takes_it_up_as_well() {
  PausingLine<Sync> line("ss");
  schedule::Doorbell<Sync> doorbell;
  Ports<Sync> ports(line, {.window = 3, .capacity = 2, .budget = 2, .head_start = {}}, doorbell);
  schedule::Crew<Ports<Sync>, Sync> crew("worker", ports, doorbell);
  crew.set_level(1);
  feed<Sync>(ports, line.stations(), 4, [&] { schedule::lend_a_hand(ports, doorbell); });
}

const Registered kWorkers({
    .name = "hand_over.workers",
    .body = a_paused_station_is_taken_up_again<SimSync>,
    .mutants = {{"forgets the paused run", a_paused_station_is_taken_up_again<ForgetsThePaused>},
                {"puts up before leaving", a_paused_station_is_taken_up_again<PutsUpBeforeLeaving>},
                {"leaves before the slice ends",
                 a_paused_station_is_taken_up_again<LeavesBeforeTheSlice>},
                {"takes the paused run along",
                 a_paused_station_is_taken_up_again<TakesThePausedAlong>},
                {"no release", a_paused_station_is_taken_up_again<NoRelease>},
                {"no fences", a_paused_station_is_taken_up_again<NoFences>}},
});
const Registered kFeeder({
    .name = "hand_over.feeder",
    .body = the_feeder_takes_it_up_as_well<SimSync>,
    .mutants = {{"takes the paused run along", the_feeder_takes_it_up_as_well<TakesThePausedAlong>},
                {"no fences", the_feeder_takes_it_up_as_well<NoFences>}},
});

}  // namespace
}  // namespace penstock::explorer
