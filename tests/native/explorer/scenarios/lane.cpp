// The lane: one at a time whatever the station, nobody left waiting for it, in every scheduler.

#include "penstock/schedule/lane.hpp"

#include <atomic>
#include <cstddef>
#include <span>

#include "penstock/schedule/carrier.hpp"
#include "penstock/schedule/conveyor.hpp"
#include "penstock/schedule/crew.hpp"
#include "penstock/schedule/dedicated_line.hpp"
#include "penstock/schedule/doorbell.hpp"
#include "penstock/schedule/port_lane.hpp"
#include "penstock/schedule/port_line.hpp"

#include "explorer/mutant.hpp"
#include "explorer/scenario.hpp"
#include "explorer/scenarios/sim_line.hpp"

namespace penstock::explorer {
namespace {

using NoFences = Mutant<SimSync, {.no_fences = true}>;
using TornUpdates = Mutant<SimSync, {.torn_updates = true}>;

// One member function each is replaced by a faulty one; everything else is what is shipped.
struct LeavesInSilence : SimSync {};
struct LetsEverybodyIn : SimSync {};
struct CountsBeforePuttingDown : SimSync {};
struct LooksBeforeLeaving : SimSync {};

template <typename Sync>
using SimRun = typename SimLine<Sync>::Run;
template <typename Sync>
using Ports = schedule::PortLine<SimLine<Sync>, Sync>;
template <typename Sync>
using Stations = schedule::DedicatedLine<SimLine<Sync>, Sync>;

}  // namespace
}  // namespace penstock::explorer

namespace penstock::schedule {

template <>
auto Lane<explorer::SimRun<explorer::LeavesInSilence>, explorer::LeavesInSilence>::leave() noexcept
    -> explorer::SimRun<explorer::LeavesInSilence>* {
  wanted_.fetch_sub(1, std::memory_order_acq_rel);
  return nullptr;
}

template <>
auto Lane<explorer::SimRun<explorer::LetsEverybodyIn>, explorer::LetsEverybodyIn>::enter(
    explorer::SimRun<explorer::LetsEverybodyIn>& run) noexcept
    -> explorer::SimRun<explorer::LetsEverybodyIn>* {
  wanted_.fetch_add(1, std::memory_order_acq_rel);
  return &run;
}

template <>
auto Lane<explorer::SimRun<explorer::CountsBeforePuttingDown>,
          explorer::CountsBeforePuttingDown>::next() noexcept
    -> explorer::SimRun<explorer::CountsBeforePuttingDown>* {
  return waiting_.try_pop().value_or(nullptr);  // as if one that is counted were always there
}

template <>
auto Lane<explorer::SimRun<explorer::CountsBeforePuttingDown>, explorer::CountsBeforePuttingDown>::
    enter(explorer::SimRun<explorer::CountsBeforePuttingDown>& run) noexcept
    -> explorer::SimRun<explorer::CountsBeforePuttingDown>* {
  if (wanted_.fetch_add(1, std::memory_order_acq_rel) == 0) return &run;
  auto* pointer = &run;
  explorer::expect(waiting_.try_push(pointer), "there is room for every run");
  return nullptr;
}

template <>
std::span<const std::size_t> PortLane<explorer::LeavesInSilence>::leave(
    std::size_t station) noexcept {
  if (inside_[station]) taken_.store(false, std::memory_order_release);
  return {};
}

template <>
bool PortLane<explorer::LetsEverybodyIn>::try_enter(std::size_t /*station*/) noexcept {
  return true;
}

template <>
void explorer::Ports<explorer::LooksBeforeLeaving>::stop_serving(Turn& turn) noexcept {
  ports_[turn.station_]->served.store(false, std::memory_order_relaxed);
  turn.consumer_.reset();
  explorer::LooksBeforeLeaving::fence_seq_cst();
  for (std::size_t station = 0; station < ports_.size(); ++station) put_up(station);
  (void)lane_.leave(turn.station_);
}

template <>
void explorer::Stations<explorer::LetsEverybodyIn>::work(int station, Run& run) noexcept {
  line_->work(station, run);
}

}  // namespace penstock::schedule

namespace penstock::explorer {
namespace {

// Two workers, and a feeder that cannot make good what they miss.
template <typename Sync, typename Scheduler>
void feed_without_help(Scheduler& scheduler, SimLine<Sync>& line,
                       schedule::Doorbell<Sync>& doorbell) {
  schedule::Crew<Scheduler, Sync> crew("worker", scheduler, doorbell);
  crew.set_level(2);
  feed<Sync>(scheduler, line.stations(), 3, [&] {
    (void)doorbell.feeder_sleep([] { return decltype(std::declval<Scheduler&>().try_take()){}; },
                                [&] { return scheduler.collectable(); });
  });
}

template <typename Sync>
void a_conveyor_has_one_run_in_the_lane() {
  SimLine<Sync> line("LSs");
  schedule::Doorbell<Sync> doorbell;
  schedule::Conveyor<SimLine<Sync>, Sync> conveyor(line, 3, doorbell);
  feed_without_help<Sync>(conveyor, line, doorbell);
}

template <typename Sync>
void a_line_of_ports_has_one_thread_in_the_lane() {
  SimLine<Sync> line("SsS");
  schedule::Doorbell<Sync> doorbell;
  Ports<Sync> ports(line, {.window = 2, .capacity = 1, .budget = 1, .head_start = {}}, doorbell);
  feed_without_help<Sync>(ports, line, doorbell);
}

template <typename Sync>
void dedicated_threads_wait_for_the_lane() {
  SimLine<Sync> line("SSs");
  Stations<Sync> stations(line, {.window = 3, .capacity = 2});
  stations.start("station");
  feed<Sync>(stations, line.stations(), 4, [&] { stations.sleep(); });
}

const Registered kConveyor({
    .name = "lane.conveyor",
    .body = a_conveyor_has_one_run_in_the_lane<SimSync>,
    .mutants = {{"leaves in silence", a_conveyor_has_one_run_in_the_lane<LeavesInSilence>},
                {"lets everybody in", a_conveyor_has_one_run_in_the_lane<LetsEverybodyIn>},
                {"counts before putting down",
                 a_conveyor_has_one_run_in_the_lane<CountsBeforePuttingDown>},
                {"load and store", a_conveyor_has_one_run_in_the_lane<TornUpdates>}},
});
const Registered kPorts({
    .name = "lane.ports",
    .body = a_line_of_ports_has_one_thread_in_the_lane<SimSync>,
    .mutants = {{"leaves in silence", a_line_of_ports_has_one_thread_in_the_lane<LeavesInSilence>},
                {"lets everybody in", a_line_of_ports_has_one_thread_in_the_lane<LetsEverybodyIn>},
                {"looks before leaving",
                 a_line_of_ports_has_one_thread_in_the_lane<LooksBeforeLeaving>},
                {"no fences", a_line_of_ports_has_one_thread_in_the_lane<NoFences>}},
});
const Registered kDedicated({
    .name = "lane.dedicated",
    .body = dedicated_threads_wait_for_the_lane<SimSync>,
    .mutants = {{"lets everybody in", dedicated_threads_wait_for_the_lane<LetsEverybodyIn>}},
});

}  // namespace
}  // namespace penstock::explorer
