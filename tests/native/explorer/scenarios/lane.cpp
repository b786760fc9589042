// The lane: one at a time whatever the station, and nobody left waiting for it, in every scheduler.

#include <atomic>
#include <cstddef>
#include <utility>

#include "penstock/schedule/carrier.hpp"
#include "penstock/schedule/conveyor.hpp"
#include "penstock/schedule/crew.hpp"
#include "penstock/schedule/dedicated_line.hpp"
#include "penstock/schedule/doorbell.hpp"
#include "penstock/schedule/port_line.hpp"

#include "explorer/mutant.hpp"
#include "explorer/scenario.hpp"
#include "explorer/scenarios/sim_line.hpp"

namespace penstock::explorer {
namespace {

using NoFences = Mutant<SimSync, {.no_fences = true}>;

// One member function each is replaced by a faulty one; everything else is what is shipped.
struct LeavesInSilence : SimSync {};
struct LetsEverybodyIn : SimSync {};
struct TellsWorkersOnly : SimSync {};

template <typename Sync>
using SimConveyor = schedule::Conveyor<SimLine<Sync>, Sync>;
template <typename Sync>
using Ports = schedule::PortLine<SimLine<Sync>, Sync>;
template <typename Sync>
using Stations = schedule::DedicatedLine<SimLine<Sync>, Sync>;

}  // namespace
}  // namespace penstock::explorer

namespace penstock::schedule {

template <>
void explorer::SimConveyor<explorer::LeavesInSilence>::make_ready(Run& run) noexcept {
  Run* pointer = &run;
  const bool laned = in_lane(*line_, run.station);
  while (!(laned ? lane_ : ready_).try_push(pointer)) explorer::LeavesInSilence::yield();
  if (!laned) doorbell_->ring_worker();
}

template <>
auto explorer::SimConveyor<explorer::LetsEverybodyIn>::try_take(bool feeder) noexcept -> Run* {
  Run* const run = (feeder ? lane_ : ready_).try_pop().value_or(nullptr);
  if (run != nullptr) run->by_feeder = true;
  return run;
}

template <>
void explorer::SimConveyor<explorer::TellsWorkersOnly>::make_ready(Run& run) noexcept {
  Run* pointer = &run;
  auto& waiting = in_lane(*line_, run.station) ? lane_ : ready_;
  while (!waiting.try_push(pointer)) explorer::TellsWorkersOnly::yield();
  doorbell_->ring_worker();
}

template <>
void explorer::Ports<explorer::LeavesInSilence>::carry(Turn turn) noexcept {
  while (turn) {
    const bool goes_on = is_last(turn.station_) ? serve_last(turn) : serve_inner(turn);
    turn.end();
    if (!goes_on) return;
    const std::size_t next = turn.station_ + 1;
    if (policy_.in_lane_of_feeder(next) && !turn.by_feeder_) return;
    turn = try_serve(next, turn.by_feeder_);
  }
}

template <>
void explorer::Ports<explorer::LetsEverybodyIn>::carry(Turn turn) noexcept {
  while (turn) {
    const bool goes_on = is_last(turn.station_) ? serve_last(turn) : serve_inner(turn);
    turn.end();
    if (!goes_on) return;
    turn = try_serve(turn.station_ + 1, turn.by_feeder_);
  }
}

template <>
void explorer::Ports<explorer::TellsWorkersOnly>::put_up(std::size_t station) noexcept {
  if (has_work(station) && policy_.put(station)) doorbell_->ring_worker();
}

template <>
void explorer::Stations<explorer::LetsEverybodyIn>::work(int station, Run& run) noexcept {
  line_->work(station, run);
}

}  // namespace penstock::schedule

namespace penstock::explorer {
namespace {

// A worker brings what the feeder alone may go on with.
template <typename Sync, typename Scheduler>
void feed_with_help(Scheduler& scheduler, SimLine<Sync>& line, schedule::Doorbell<Sync>& doorbell,
                    int workers) {
  schedule::Crew<Scheduler, Sync> crew("worker", scheduler, doorbell);
  crew.set_level(workers);
  feed<Sync>(scheduler, line.stations(), 4, [&] { schedule::lend_a_hand(scheduler, doorbell); });
}

template <typename Sync>
void a_conveyor_has_one_run_in_the_lane() {
  SimLine<Sync> line("lLSs");
  schedule::Doorbell<Sync> doorbell;
  SimConveyor<Sync> conveyor(line, 3, doorbell);
  feed_with_help<Sync>(conveyor, line, doorbell, 2);
}

template <typename Sync>
void a_line_of_ports_has_one_thread_in_the_lane() {
  SimLine<Sync> line("sSSs");
  schedule::Doorbell<Sync> doorbell;
  Ports<Sync> ports(line, {.window = 3, .capacity = 2, .budget = 1, .head_start = {}}, doorbell);
  feed_with_help<Sync>(ports, line, doorbell, 2);
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
                {"tells workers only", a_conveyor_has_one_run_in_the_lane<TellsWorkersOnly>},
                {"lets everybody in", a_conveyor_has_one_run_in_the_lane<LetsEverybodyIn>},
                {"no fences", a_conveyor_has_one_run_in_the_lane<NoFences>}},
});
const Registered kPorts({
    .name = "lane.ports",
    .body = a_line_of_ports_has_one_thread_in_the_lane<SimSync>,
    .mutants = {{"leaves in silence", a_line_of_ports_has_one_thread_in_the_lane<LeavesInSilence>},
                {"tells workers only",
                 a_line_of_ports_has_one_thread_in_the_lane<TellsWorkersOnly>},
                {"lets everybody in", a_line_of_ports_has_one_thread_in_the_lane<LetsEverybodyIn>},
                {"no fences", a_line_of_ports_has_one_thread_in_the_lane<NoFences>}},
});
const Registered kDedicated({
    .name = "lane.dedicated",
    .body = dedicated_threads_wait_for_the_lane<SimSync>,
    .mutants = {{"lets everybody in", dedicated_threads_wait_for_the_lane<LetsEverybodyIn>}},
});

}  // namespace
}  // namespace penstock::explorer
