// A run that pauses on the conveyor keeps the baton, and is taken up by whoever is free (C12).

#include <atomic>
#include <cstdint>
#include <utility>

#include "penstock/schedule/carrier.hpp"
#include "penstock/schedule/conveyor.hpp"
#include "penstock/schedule/crew.hpp"
#include "penstock/schedule/doorbell.hpp"

#include "explorer/mutant.hpp"
#include "explorer/scenario.hpp"
#include "explorer/scenarios/pausing_line.hpp"

namespace penstock::explorer {
namespace {

using NoRelease = Mutant<SimSync, {.no_release = true}>;
using NoAcquire = Mutant<SimSync, {.no_acquire = true}>;
using NoFences = Mutant<SimSync, {.no_fences = true}>;

// One member function is replaced by a faulty one; everything else is what is shipped.
struct GivesTheBatonOn : SimSync {};
struct ForgetsThePaused : SimSync {};
struct ArrivesAgain : SimSync {};

template <typename Sync>
using PausingConveyor = schedule::Conveyor<PausingLine<Sync>, Sync>;

}  // namespace
}  // namespace penstock::explorer

namespace penstock::schedule {

template <>
auto explorer::PausingConveyor<explorer::GivesTheBatonOn>::pass_station(Run& run) noexcept -> Run* {
  auto* const ring =
      explorer::GivesTheBatonOn::read(rings_)[static_cast<std::size_t>(run.station)].get();
  const auto serial = run.serial;
  if (!run.has_turn && !ring->arrive(run, serial)) return nullptr;
  const bool gave = std::exchange(run.paused_at, -1) != -1;
  const bool done = work_some(*line_, run.station, run);
  const bool through = done && ++run.station == line_->stations();
  run.has_turn = !done;
  Run* const next = gave ? nullptr : ring->depart(serial);
  if (next != nullptr) next->has_turn = true;
  if (!done) {
    run.paused_at = 0;
    make_ready(run);
  }
  if (through) {
    window_->complete();
    doorbell_->ring_feeder();
    return next;
  }
  if (next != nullptr) make_ready(*next);
  return done ? &run : nullptr;
}

template <>
auto explorer::PausingConveyor<explorer::ForgetsThePaused>::pass_station(Run& run) noexcept
    -> Run* {
  auto* const ring =
      explorer::ForgetsThePaused::read(rings_)[static_cast<std::size_t>(run.station)].get();
  if (!run.has_turn && !ring->arrive(run, run.serial)) return nullptr;
  run.has_turn = true;
  if (!work_some(*line_, run.station, run)) return nullptr;
  run.has_turn = false;
  const bool through = ++run.station == line_->stations();
  Run* const next = ring->depart(run.serial);
  if (next != nullptr) next->has_turn = true;
  if (through) {
    window_->complete();
    doorbell_->ring_feeder();
    return next;
  }
  if (next != nullptr) make_ready(*next);
  return &run;
}

template <>
auto explorer::PausingConveyor<explorer::ArrivesAgain>::pass_station(Run& run) noexcept -> Run* {
  auto* const ring =
      explorer::ArrivesAgain::read(rings_)[static_cast<std::size_t>(run.station)].get();
  if (!run.has_turn && !ring->arrive(run, run.serial)) return nullptr;
  run.has_turn = false;
  if (!work_some(*line_, run.station, run)) {
    make_ready(run);
    return nullptr;
  }
  const bool through = ++run.station == line_->stations();
  Run* const next = ring->depart(run.serial);
  if (next != nullptr) next->has_turn = true;
  if (through) {
    window_->complete();
    doorbell_->ring_feeder();
    return next;
  }
  if (next != nullptr) make_ready(*next);
  return &run;
}

}  // namespace penstock::schedule

namespace penstock::explorer {
namespace {

// Two workers, and a feeder that helps.
template <typename Sync>
void a_paused_run_is_carried_on() {
  PausingLine<Sync> line("ss");
  schedule::Doorbell<Sync> doorbell;
  PausingConveyor<Sync> conveyor(line, 2, doorbell);
  schedule::Crew<PausingConveyor<Sync>, Sync> crew("worker", conveyor, doorbell);
  crew.set_level(2);
  feed<Sync>(conveyor, line.stations(), 3, [&] { schedule::lend_a_hand(conveyor, doorbell); });
}

const Registered kPaused({
    .name = "conveyor.pause",
    .body = a_paused_run_is_carried_on<SimSync>,
    .mutants = {{"gives the baton on", a_paused_run_is_carried_on<GivesTheBatonOn>},
                {"forgets the paused run", a_paused_run_is_carried_on<ForgetsThePaused>},
                {"arrives again", a_paused_run_is_carried_on<ArrivesAgain>},
                {"no release", a_paused_run_is_carried_on<NoRelease>},
                {"no acquire", a_paused_run_is_carried_on<NoAcquire>},
                {"no fences", a_paused_run_is_carried_on<NoFences>}},
});

}  // namespace
}  // namespace penstock::explorer
