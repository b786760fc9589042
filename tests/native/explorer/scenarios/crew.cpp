// Threads that come and go: no wake-up leaves with a thread, and none is lost on the way.

#include "penstock/schedule/crew.hpp"

#include <atomic>
#include <type_traits>

#include "penstock/base/event_count.hpp"
#include "penstock/schedule/conveyor.hpp"
#include "penstock/schedule/doorbell.hpp"

#include "explorer/mutant.hpp"
#include "explorer/scenario.hpp"
#include "explorer/scenarios/sim_line.hpp"

namespace penstock::explorer {
namespace {

using NoFences = Mutant<SimSync, {.no_fences = true}>;

// One member function each is replaced by a faulty one; everything else is what is shipped.
struct RingsTooEarly : SimSync {};
struct SuspendsInSilence : SimSync {};
struct LeavesWithTheWakeUp : SimSync {};
struct SleepsAtOnce : SimSync {};
struct WakesNobodyUp : SimSync {};

template <typename Sync>
using SimConveyor = schedule::Conveyor<SimLine<Sync>, Sync>;
template <typename Sync>
using SimCrew = schedule::Crew<SimConveyor<Sync>, Sync>;

}  // namespace
}  // namespace penstock::explorer

namespace penstock::schedule {

template <>
void explorer::SimConveyor<explorer::RingsTooEarly>::make_ready(Run& run) noexcept {
  doorbell_->ring_worker();
  Run* pointer = &run;
  while (!ready_.try_push(pointer)) explorer::RingsTooEarly::yield();
}

// Correct, but for slowness: a sleeping worker learns of its suspension by the next wake-up.
template <>
void explorer::SimCrew<explorer::SuspendsInSilence>::set_level(int level) {
  start_missing(level);
  level_.store(level, std::memory_order_relaxed);
  level_changed_.notify_all();
}

template <>
void explorer::SimCrew<explorer::LeavesWithTheWakeUp>::run(int worker, Place& place) {
  while (!stopping()) {
    if (suspended(worker)) {
      wait_for_level(worker);
    } else {
      step(worker, place);
    }
  }
}

template <>
void explorer::SimCrew<explorer::LeavesWithTheWakeUp>::set_level(int level) {
  start_missing(level);
  level_.store(level, std::memory_order_relaxed);
  level_changed_.notify_all();
}
template <>
void explorer::SimCrew<explorer::WakesNobodyUp>::set_level(int level) {
  start_missing(level);
  level_.store(level, std::memory_order_relaxed);
  doorbell_->ring_all();
}

template <>
void explorer::SimCrew<explorer::SleepsAtOnce>::step(int worker, Place& /*place*/) {
  auto work = carrier_->try_take();
  if (!work) {
    work = doorbell_->worker_sleep([]() -> decltype(work) { return nullptr; },
                                   [this, worker] { return stopping() || suspended(worker); });
  }
  if (work) carrier_->carry(work);
}

}  // namespace penstock::schedule

namespace penstock::explorer {
namespace {

// The workers carry everything: the feeder sleeps until there is something to collect, so it
// cannot make good what they miss.
template <typename Sync, typename During>
void carry_two_runs(During during) {
  SimLine<Sync> line("ls");
  schedule::Doorbell<Sync> doorbell;
  SimConveyor<Sync> conveyor(line, 2, doorbell);
  SimCrew<Sync> crew("worker", conveyor, doorbell);
  crew.set_level(2);
  during(crew);
  feed<Sync>(conveyor, line.stations(), 2, [&] {
    (void)doorbell.feeder_sleep([] { return static_cast<typename SimLine<Sync>::Run*>(nullptr); },
                                [&] { return conveyor.collectable(); });
  });
}

template <typename Sync>
void workers_need_no_help() {
  carry_two_runs<Sync>([](auto& /*crew*/) {});
}

// A worker is told to leave while the runs are under way. It may have been woken for one of them.
template <typename Sync>
void a_suspended_worker_hands_its_wake_up_on() {
  SimLine<Sync> line("ls");
  schedule::Doorbell<Sync> doorbell;
  SimConveyor<Sync> conveyor(line, 2, doorbell);
  SimCrew<Sync> crew("worker", conveyor, doorbell);
  crew.set_level(2);
  Crew controller;
  controller.add("controller", [&] { crew.set_level(1); });
  feed<Sync>(conveyor, line.stations(), 2, [&] {
    (void)doorbell.feeder_sleep([] { return static_cast<typename SimLine<Sync>::Run*>(nullptr); },
                                [&] { return conveyor.collectable(); });
  });
  controller.join();
}

// Nobody is awake at first; what was loaded meanwhile is carried once somebody is.
template <typename Sync>
void a_resumed_worker_finds_what_waits() {
  carry_two_runs<Sync>([](auto& crew) {
    crew.set_level(0);
    crew.set_level(1);
  });
}

const Registered kNoHelp({
    .name = "crew.no_help",
    .body = workers_need_no_help<SimSync>,
    .mutants = {{"no fences", workers_need_no_help<NoFences>},
                {"rings before the run is there", workers_need_no_help<RingsTooEarly>},
                {"no second look", workers_need_no_help<SleepsAtOnce>}},
});
const Registered kSuspend({
    .name = "crew.suspend",
    .body = a_suspended_worker_hands_its_wake_up_on<SimSync>,
    .mutants = {{"no fences", a_suspended_worker_hands_its_wake_up_on<NoFences>}},
});
// Two things keep a wake-up from being lost: a change of level wakes everybody, and who leaves
// hands on. Here the second stands alone.
const Registered kHandOver({
    .name = "crew.hand_over",
    .body = a_suspended_worker_hands_its_wake_up_on<SuspendsInSilence>,
    .mutants = {{"leaves with the wake-up",
                 a_suspended_worker_hands_its_wake_up_on<LeavesWithTheWakeUp>}},
});
const Registered kResume({
    .name = "crew.resume",
    .body = a_resumed_worker_finds_what_waits<SimSync>,
    .mutants = {{"no fences", a_resumed_worker_finds_what_waits<NoFences>},
                {"wakes nobody up", a_resumed_worker_finds_what_waits<WakesNobodyUp>}},
});

}  // namespace
}  // namespace penstock::explorer
