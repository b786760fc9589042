// The baton ring and the conveyor with its threads: order, and no run left lying.

#include "penstock/schedule/conveyor.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "penstock/queue/baton_ring.hpp"
#include "penstock/schedule/carrier.hpp"
#include "penstock/schedule/crew.hpp"
#include "penstock/schedule/doorbell.hpp"
#include "penstock/schedule/fused_line.hpp"

#include "explorer/mutant.hpp"
#include "explorer/scenario.hpp"
#include "explorer/scenarios/sim_line.hpp"

namespace penstock::explorer {
namespace {

using NoFences = Mutant<SimSync, {.no_fences = true}>;

// Only the slots of baton rings hold pointers.
template <Mutation kMutation>
struct WeakBaton : SimSync {
  template <typename T>
  using Atomic =
      std::conditional_t<std::is_pointer_v<T>,
                         typename Mutant<SimSync, kMutation>::template Atomic<T>, SimAtomic<T>>;
};
using NoRelease = WeakBaton<{.no_release = true}>;
using NoAcquire = WeakBaton<{.no_acquire = true}>;

// A load and a store instead of an exchange: who arrives and who departs can miss each other.
struct TornBaton : SimSync {
  template <typename T>
  class Torn : public SimAtomic<T> {
   public:
    using SimAtomic<T>::SimAtomic;
    T exchange(T value, std::memory_order /*order*/) {
      const T old = this->load(std::memory_order_acquire);
      this->store(value, std::memory_order_release);
      return old;
    }
  };
  template <typename T>
  using Atomic = std::conditional_t<std::is_pointer_v<T>, Torn<T>, SimAtomic<T>>;
};

// One member function each is replaced by a faulty one; everything else is what is shipped.
struct CompletesInSilence : SimSync {};
struct StopsInSilence : SimSync {};
struct CompletesTooEarly : SimSync {};
struct ForgetsWhoIsNext : SimSync {};
struct KeepsItsRings : SimSync {};

template <typename Sync>
using FusedConveyor = schedule::Conveyor<schedule::FusedLine<SimLine<Sync>, Sync>, Sync>;
template <typename Sync>
using SimConveyor = schedule::Conveyor<SimLine<Sync>, Sync>;
template <typename Sync>
using SimCrew = schedule::Crew<SimConveyor<Sync>, Sync>;

}  // namespace
}  // namespace penstock::explorer

namespace penstock::schedule {

template <>
void Doorbell<explorer::CompletesInSilence>::ring_feeder() noexcept {}

template <>
auto explorer::FusedConveyor<explorer::CompletesTooEarly>::pass_station(Run& run) noexcept -> Run* {
  using Sync = explorer::CompletesTooEarly;
  const auto station = static_cast<std::size_t>(run.station);
  const auto serial = run.serial;
  if (!run.has_turn && !Sync::read(rings_)[station]->arrive(run, serial)) return nullptr;
  run.has_turn = false;
  line_->work(run.station, run);
  const bool through = ++run.station == line_->stations();
  if (through) {
    window_->complete();
    doorbell_->ring_feeder();
  }
  Run* const next = Sync::read(rings_)[station]->depart(serial);
  if (next != nullptr) next->has_turn = true;
  if (through) return next;
  if (next != nullptr) make_ready(*next);
  return &run;
}

template <>
void explorer::FusedConveyor<explorer::ForgetsWhoIsNext>::rearrange() {
  Rings rings(static_cast<std::size_t>(line_->stations()));
  for (auto& ring : rings) {
    ring = std::make_unique<queue::BatonRing<Run, explorer::ForgetsWhoIsNext>>(window_->size());
  }
  explorer::ForgetsWhoIsNext::write(rings_) = std::move(rings);
}

template <>
void explorer::FusedConveyor<explorer::KeepsItsRings>::rearrange() {
  using Sync = explorer::KeepsItsRings;
  Rings& rings = Sync::write(rings_);
  while (rings.size() < static_cast<std::size_t>(line_->stations())) {
    rings.push_back(std::make_unique<queue::BatonRing<Run, Sync>>(window_->size()));
  }
}

template <>
void explorer::SimCrew<explorer::StopsInSilence>::stop() noexcept {
  stopping_.store(true, std::memory_order_relaxed);
  places_.clear();
}

}  // namespace penstock::schedule

namespace penstock::explorer {
namespace {

// Three threads bring three runs each to one place.
template <typename Sync>
void runs_pass_in_order_whoever_comes_first() {
  constexpr std::uint64_t kRuns = 9;
  SimLine<Sync> line("s");
  queue::BatonRing<typename SimLine<Sync>::Run, Sync> ring(kRuns);
  std::vector<typename SimLine<Sync>::Run> runs(kRuns);
  typename Sync::template Atomic<std::uint64_t> passed{0};
  const auto bring = [&](std::uint64_t serial) {
    auto* run = &runs[serial];
    run->serial = serial;
    if (!ring.arrive(*run, serial)) return;
    for (; run != nullptr; run = ring.depart(serial)) {
      serial = run->serial;
      line.work(0, *run);
      passed.fetch_add(1, std::memory_order_relaxed);
    }
  };
  Crew crew;
  crew.add("carrier 1", [&] { bring(5), bring(0), bring(8); });
  crew.add("carrier 2", [&] { bring(1), bring(7), bring(4); });
  crew.add("carrier 3", [&] { bring(6), bring(3), bring(2); });
  crew.join();
  expect(passed.load(std::memory_order_relaxed) == kRuns, "no run is left in the ring");
}

// Two workers and a feeder that helps.
template <typename Sync, std::size_t kWindow>
void all_runs_come_out_in_order() {
  SimLine<Sync> line("sls");
  schedule::Doorbell<Sync> doorbell;
  SimConveyor<Sync> conveyor(line, kWindow, doorbell);
  SimCrew<Sync> crew("worker", conveyor, doorbell);
  crew.set_level(2);
  feed<Sync>(conveyor, line.stations(), kWindow + 1,
             [&] { schedule::lend_a_hand(conveyor, doorbell); });
}

// The stations are fused, and the feeder carries a run alone, while the workers stay about.
template <typename Sync>
void stations_are_rearranged_between_runs() {
  SimLine<Sync> stations("ss");
  schedule::FusedLine<SimLine<Sync>, Sync> line(stations);
  schedule::Doorbell<Sync> doorbell;
  FusedConveyor<Sync> conveyor(line, 2, doorbell);
  schedule::Crew<FusedConveyor<Sync>, Sync> crew("worker", conveyor, doorbell);
  crew.set_level(2);
  std::uint64_t collected = 0;
  const auto feed_two = [&] {
    for (int i = 0; i < 2; ++i) {
      auto* const run = conveyor.try_admit();
      Sync::write(run->passed) = 0;
      conveyor.load(*run);
    }
    for (int i = 0; i < 2;) {
      if (auto* const run = conveyor.try_collect()) {
        ++i;
        expect(run->serial == collected++, "runs are collected in order");
        expect(Sync::read(run->passed) == 2, "a run that is collected has been everywhere");
      } else {
        schedule::lend_a_hand(conveyor, doorbell);
      }
    }
  };
  feed_two();
  auto* const alone = conveyor.try_admit();
  Sync::write(alone->passed) = 0;
  conveyor.carry_alone(*alone);
  expect(conveyor.try_collect() == alone, "a run carried alone is through at once");
  ++collected;
  line.arrange({0});
  conveyor.rearrange();
  feed_two();
}

// The threads are told to stop at some moment, and do.
template <typename Sync>
void a_cancel_ends_every_thread() {
  SimLine<Sync> line("sls");
  schedule::Doorbell<Sync> doorbell;
  SimConveyor<Sync> conveyor(line, 2, doorbell);
  SimCrew<Sync> crew("worker", conveyor, doorbell);
  crew.set_level(2);
  for (int i = 0; i < 2; ++i) {
    auto* const run = conveyor.try_admit();
    Sync::write(run->passed) = 0;
    conveyor.load(*run);
  }
  crew.stop();
}

const Registered kBaton({
    .name = "baton_ring.order",
    .body = runs_pass_in_order_whoever_comes_first<SimSync>,
    .mutants = {{"no release", runs_pass_in_order_whoever_comes_first<NoRelease>},
                {"no acquire", runs_pass_in_order_whoever_comes_first<NoAcquire>},
                {"load and store", runs_pass_in_order_whoever_comes_first<TornBaton>}},
});
const Registered kWindowOne({
    .name = "conveyor.window_1",
    .body = all_runs_come_out_in_order<SimSync, 1>,
    .mutants = {{"no fences", all_runs_come_out_in_order<NoFences, 1>},
                {"completes in silence", all_runs_come_out_in_order<CompletesInSilence, 1>}},
});
const Registered kWindowTwo({
    .name = "conveyor.window_2",
    .body = all_runs_come_out_in_order<SimSync, 2>,
    .mutants = {{"baton without release", all_runs_come_out_in_order<NoRelease, 2>},
                {"baton without acquire", all_runs_come_out_in_order<NoAcquire, 2>},
                {"baton loaded and stored", all_runs_come_out_in_order<TornBaton, 2>},
                {"no fences", all_runs_come_out_in_order<NoFences, 2>},
                {"completes in silence", all_runs_come_out_in_order<CompletesInSilence, 2>}},
});
const Registered kWindowThree({
    .name = "conveyor.window_3",
    .body = all_runs_come_out_in_order<SimSync, 3>,
    .mutants = {{"baton loaded and stored", all_runs_come_out_in_order<TornBaton, 3>}},
});
const Registered kRearrange({
    .name = "conveyor.rearrange",
    .body = stations_are_rearranged_between_runs<SimSync>,
    .mutants = {{"completes before the baton is gone",
                 stations_are_rearranged_between_runs<CompletesTooEarly>},
                {"forgets who is next", stations_are_rearranged_between_runs<ForgetsWhoIsNext>},
                {"keeps its rings", stations_are_rearranged_between_runs<KeepsItsRings>}},
});
const Registered kCancel({
    .name = "conveyor.cancel",
    .body = a_cancel_ends_every_thread<SimSync>,
    .mutants = {{"stops in silence", a_cancel_ends_every_thread<StopsInSilence>}},
});

}  // namespace
}  // namespace penstock::explorer
