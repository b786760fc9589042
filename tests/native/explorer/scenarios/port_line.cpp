// The dynamic model: order, no port forgotten, and no thread that waits for room for ever.

#include "penstock/schedule/port_line.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "penstock/schedule/carrier.hpp"
#include "penstock/schedule/crew.hpp"
#include "penstock/schedule/doorbell.hpp"
#include "penstock/schedule/least_recent_first.hpp"

#include "explorer/mutant.hpp"
#include "explorer/scenario.hpp"
#include "explorer/scenarios/sim_line.hpp"

namespace penstock::explorer {
namespace {

using NoFences = Mutant<SimSync, {.no_fences = true}>;
using NoAcquire = Mutant<SimSync, {.no_acquire = true}>;

// One member function each is replaced by a faulty one; everything else is what is shipped.
struct LeavesForGood : SimSync {};
struct KeepsRoomSecret : SimSync {};
struct LooksBeforeLeaving : SimSync {};
struct OffersInSilence : SimSync {};
struct GivesRolesToAll : SimSync {};
struct StopsInSilence : SimSync {};
struct LoadsInSilence : SimSync {};
struct ShowsSleepersOnly : SimSync {};

template <typename Sync>
using Ports = schedule::PortLine<SimLine<Sync>, Sync>;
template <typename Sync>
using ListedPorts = schedule::PortLine<SimLine<Sync>, Sync, schedule::LeastRecentFirst<Sync>>;

}  // namespace
}  // namespace penstock::explorer

namespace penstock::schedule {

template <>
void explorer::Ports<explorer::LeavesForGood>::stop_serving(Turn& turn) noexcept {
  ports_[turn.station_]->served.store(false, std::memory_order_relaxed);
  turn.consumer_.reset();
  explorer::LeavesForGood::fence_seq_cst();
  if (turn.station_ > 0) put_up(turn.station_ - 1);
}

template <>
void explorer::Ports<explorer::KeepsRoomSecret>::stop_serving(Turn& turn) noexcept {
  ports_[turn.station_]->served.store(false, std::memory_order_relaxed);
  turn.consumer_.reset();
  explorer::KeepsRoomSecret::fence_seq_cst();
  put_up(turn.station_);
}

template <>
void explorer::Ports<explorer::LooksBeforeLeaving>::stop_serving(Turn& turn) noexcept {
  ports_[turn.station_]->served.store(false, std::memory_order_relaxed);
  explorer::LooksBeforeLeaving::fence_seq_cst();
  put_up(turn.station_);
  if (turn.station_ > 0) put_up(turn.station_ - 1);
  turn.consumer_.reset();
}

template <>
void explorer::Ports<explorer::OffersInSilence>::put_up(std::size_t station) noexcept {
  if (has_work(station)) policy_.put(station);
}

template <>
auto explorer::Ports<explorer::LoadsInSilence>::try_admit() noexcept -> Run* {
  return window_->try_admit();
}

template <>
bool explorer::Ports<explorer::ShowsSleepersOnly>::serve_last(Turn& turn) noexcept {
  RunWindow<Run, explorer::ShowsSleepersOnly>::Tally tally(*window_);
  for (const auto& slot : turn.consumer_->front_run(budget_)) {
    line_->work(static_cast<int>(turn.station_), *explorer::ShowsSleepersOnly::read(slot));
    turn.consumer_->release(1);
    tally.complete();
    if (!doorbell_->feeder_sleeps()) continue;
    tally.show();
    doorbell_->ring_feeder();
  }
  tally.show();
  return false;
}

template <>
void Crew<explorer::Ports<explorer::StopsInSilence>, explorer::StopsInSilence>::stop() noexcept {
  stopping_.store(true, std::memory_order_relaxed);
  places_.clear();
}

}  // namespace penstock::schedule

namespace penstock::queue {

template <>
auto RoleFlag<explorer::GivesRolesToAll>::try_take() noexcept -> Held {
  return Held(this);
}

}  // namespace penstock::queue

namespace penstock::explorer {
namespace {

// Two workers and a feeder that helps; nothing fits between the stations but one run.
template <typename Sync, typename Scheduler = Ports<Sync>>
void all_runs_come_out_in_order() {
  SimLine<Sync> line("ss");
  schedule::Doorbell<Sync> doorbell;
  Scheduler ports(line, {.window = 3, .capacity = 1, .budget = 2, .head_start = {}}, doorbell);
  schedule::Crew<Scheduler, Sync> crew("worker", ports, doorbell);
  crew.set_level(2);
  feed<Sync>(ports, line.stations(), 4, [&] { schedule::lend_a_hand(ports, doorbell); });
}

// The only port is the first and the last one: what leaves it comes back to it.
template <typename Sync>
void one_station_is_a_line() {
  SimLine<Sync> line("s");
  schedule::Doorbell<Sync> doorbell;
  Ports<Sync> ports(line, {.window = 2, .capacity = 1, .budget = 2, .head_start = {}}, doorbell);
  schedule::Crew<Ports<Sync>, Sync> crew("worker", ports, doorbell);
  crew.set_level(1);
  feed<Sync>(ports, line.stations(), 4, [&] { schedule::lend_a_hand(ports, doorbell); });
}

// Two workers, and a feeder that cannot make good what they miss.
template <typename Sync, typename Scheduler = Ports<Sync>>
void workers_need_no_help() {
  SimLine<Sync> line("sss");
  schedule::Doorbell<Sync> doorbell;
  Scheduler ports(line, {.window = 2, .capacity = 1, .budget = 1, .head_start = {}}, doorbell);
  schedule::Crew<Scheduler, Sync> crew("worker", ports, doorbell);
  crew.set_level(2);
  feed<Sync>(ports, line.stations(), 3, [&] {
    (void)doorbell.feeder_sleep([] { return typename Scheduler::Turn(); },
                                [&] { return ports.collectable(); });
  });
}

// As before, but the workers are told of two runs at a time.
template <typename Sync>
void workers_are_told_of_some_runs_together() {
  struct Together {
    Ports<Sync>& ports;
    std::uint64_t loaded = 0;
    [[nodiscard]] auto* try_admit() noexcept { return ports.try_admit(); }
    [[nodiscard]] auto* try_collect() noexcept { return ports.try_collect(); }
    [[nodiscard]] auto under_way() const noexcept { return ports.under_way(); }
    void load(typename Ports<Sync>::Run& run) noexcept { ports.load(run, ++loaded < 3); }
  };
  SimLine<Sync> line("ss");
  schedule::Doorbell<Sync> doorbell;
  Ports<Sync> ports(line, {.window = 2, .capacity = 1, .budget = 1, .head_start = {}}, doorbell);
  schedule::Crew<Ports<Sync>, Sync> crew("worker", ports, doorbell);
  crew.set_level(2);
  Together together{ports};
  feed<Sync>(together, line.stations(), 3, [&] {
    (void)doorbell.feeder_sleep([] { return typename Ports<Sync>::Turn(); },
                                [&] { return ports.collectable(); });
  });
}

// The threads are told to stop at some moment, and do; what was under way stays where it is.
template <typename Sync>
void a_cancel_ends_every_thread() {
  SimLine<Sync> line("ss");
  schedule::Doorbell<Sync> doorbell;
  Ports<Sync> ports(line, {.window = 2, .capacity = 1}, doorbell);
  schedule::Crew<Ports<Sync>, Sync> crew("worker", ports, doorbell);
  crew.set_level(2);
  for (int i = 0; i < 2; ++i) {
    auto* const run = ports.try_admit();
    Sync::write(run->passed) = 0;
    ports.load(*run);
  }
  crew.stop();
}

const Registered kCapacityOne({
    .name = "port_line.capacity_1",
    .body = all_runs_come_out_in_order<SimSync>,
    .mutants = {{"no fences", all_runs_come_out_in_order<NoFences>},
                {"no acquire", all_runs_come_out_in_order<NoAcquire>},
                {"roles for everybody", all_runs_come_out_in_order<GivesRolesToAll>},
                {"does not look again after a turn", all_runs_come_out_in_order<LeavesForGood>},
                {"tells nobody of new room", all_runs_come_out_in_order<KeepsRoomSecret>}},
});
const Registered kNoHelp({
    .name = "port_line.no_help",
    .body = workers_need_no_help<SimSync>,
    .mutants = {{"no fences", workers_need_no_help<NoFences>},
                {"looks again too early", workers_need_no_help<LooksBeforeLeaving>},
                {"tells nobody of new room", workers_need_no_help<KeepsRoomSecret>},
                {"tells only a sleeping feeder", workers_need_no_help<ShowsSleepersOnly>},
                {"wakes nobody", workers_need_no_help<OffersInSilence>}},
});
const Registered kTogether({
    .name = "port_line.told_together",
    .body = workers_are_told_of_some_runs_together<SimSync>,
    .mutants = {{"no fences", workers_are_told_of_some_runs_together<NoFences>},
                {"tells nobody when no more can come",
                 workers_are_told_of_some_runs_together<LoadsInSilence>}},
});
const Registered kOneStation({
    .name = "port_line.one_station",
    .body = one_station_is_a_line<SimSync>,
    .mutants = {{"no fences", one_station_is_a_line<NoFences>}},
});
const Registered kListed({
    .name = "port_line.free_list",
    .body = all_runs_come_out_in_order<SimSync, ListedPorts<SimSync>>,
    .mutants = {{"no fences", all_runs_come_out_in_order<NoFences, ListedPorts<NoFences>>},
                {"roles for everybody",
                 all_runs_come_out_in_order<GivesRolesToAll, ListedPorts<GivesRolesToAll>>}},
});
const Registered kCancel({
    .name = "port_line.cancel",
    .body = a_cancel_ends_every_thread<SimSync>,
    .mutants = {{"stops in silence", a_cancel_ends_every_thread<StopsInSilence>}},
});

}  // namespace
}  // namespace penstock::explorer
