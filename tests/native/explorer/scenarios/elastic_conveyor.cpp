// A conveyor whose layout changes under way: from one thread to two, fused, with queues, and back.

#include "penstock/schedule/elastic_conveyor.hpp"

#include <cstdint>
#include <utility>

#include "explorer/mutant.hpp"
#include "explorer/scenario.hpp"
#include "explorer/scenarios/sim_line.hpp"

namespace penstock::explorer {
namespace {

using NoFences = Mutant<SimSync, {.no_fences = true}>;

// One member function each is replaced by a faulty one; everything else is what is shipped.
struct ChangesUnderARun : SimSync {};
struct NeverRearranges : SimSync {};
struct LooksAtTheConveyorOnly : SimSync {};
struct ForgetsTheRings : SimSync {};
struct ShowsWhatItCounted : SimSync {};

template <typename Sync>
using SimElastic = schedule::ElasticConveyor<SimLine<Sync>, Sync>;
template <typename Sync>
using SimWays = schedule::TwoWays<SimLine<Sync>, Sync>;

}  // namespace
}  // namespace penstock::explorer

namespace penstock::schedule {

// The feeder carries a run alone although others are under way.
template <>
void explorer::SimElastic<explorer::ChangesUnderARun>::adopt(Layout layout) {
  layout_ = std::move(layout);
  crew_.set_level(layout_.threads - 1);
}

template <>
void explorer::SimElastic<explorer::NeverRearranges>::settle() {
  layout_ = *std::exchange(wanted_, std::nullopt);
  crew_.set_level(layout_.threads - 1);
}

template <>
explorer::SimWays<explorer::LooksAtTheConveyorOnly>::Work
explorer::SimWays<explorer::LooksAtTheConveyorOnly>::try_take(bool feeder) noexcept {
  return {.run = conveyor_.try_take(feeder), .turn = {}};
}

template <>
void explorer::SimWays<explorer::ForgetsTheRings>::use_ports(bool over_ports) {
  conveyor_.window()->use(over_ports ? limits_.ports.window : limits_.belt);
  if (over_ports && ports() == nullptr) make_ports();
  over_ports_ = over_ports;
}

// Runs that were completed in another way meanwhile are forgotten.
template <>
void RunWindow<explorer::SimLine<explorer::ShowsWhatItCounted>::Run,
               explorer::ShowsWhatItCounted>::Tally::show() noexcept {
  window_->completed_.store(through_, std::memory_order_release);
}

}  // namespace penstock::schedule

namespace penstock::explorer {
namespace {

template <typename Sync>
void the_layout_changes_under_way() {
  SimLine<Sync> stations("ss");
  SimElastic<Sync> conveyor(stations, schedule::WayLimits::alike(2), "worker");
  std::uint64_t admitted = 0;
  for (std::uint64_t collected = 0; collected < 6;) {
    if (auto* const run = conveyor.try_collect()) {
      expect(run->serial == collected++, "runs are collected in order");
      expect(Sync::read(run->passed) == 2, "a run that is collected has been everywhere");
    } else if (auto* const empty = admitted < 6 ? conveyor.try_admit() : nullptr) {
      Sync::write(empty->passed) = 0;
      conveyor.load(*empty);
      if (++admitted == 1) conveyor.adopt({.threads = 3, .firsts = {0, 1}});
      if (admitted == 3) conveyor.adopt({.threads = 1, .firsts = {0, 1}});
      if (admitted == 4) conveyor.adopt({.threads = 2, .firsts = {0}});
    } else {
      conveyor.help();
    }
  }
  expect(conveyor.under_way() == 0, "nothing is left");
}

template <typename Sync>
void queues_come_and_go() {
  SimLine<Sync> stations("ss");
  SimElastic<Sync> conveyor(stations, {.belt = 2, .ports = {.window = 3, .capacity = 2}}, "worker");
  conveyor.adopt({.threads = 2, .firsts = {0, 1}});
  std::uint64_t admitted = 0;
  for (std::uint64_t collected = 0; collected < 7;) {
    if (auto* const run = conveyor.try_collect()) {
      expect(run->serial == collected++, "runs are collected in order");
      expect(Sync::read(run->passed) == 2, "a run that is collected has been everywhere");
    } else if (auto* const empty = admitted < 7 ? conveyor.try_admit() : nullptr) {
      Sync::write(empty->passed) = 0;
      conveyor.load(*empty);
      if (++admitted == 2) conveyor.adopt({.threads = 2, .firsts = {0, 1}, .queues = true});
      // Three runs over queues: an even number would find the batons where they are.
      if (admitted == 5) conveyor.adopt({.threads = 2, .firsts = {0, 1}});
    } else {
      conveyor.help();
    }
  }
  expect(conveyor.under_way() == 0, "nothing is left");
}

const Registered kQueues({
    .name = "elastic_conveyor.queues",
    .body = queues_come_and_go<SimSync>,
    .mutants = {{"no fences", queues_come_and_go<NoFences>},
                {"shows what it counted", queues_come_and_go<ShowsWhatItCounted>},
                {"forgets the rings", queues_come_and_go<ForgetsTheRings>},
                {"looks at the conveyor only", queues_come_and_go<LooksAtTheConveyorOnly>}},
});

const Registered kChanges({
    .name = "elastic_conveyor.changes",
    .body = the_layout_changes_under_way<SimSync>,
    .mutants = {{"no fences", the_layout_changes_under_way<NoFences>},
                {"changes under a run", the_layout_changes_under_way<ChangesUnderARun>},
                {"never rearranges", the_layout_changes_under_way<NeverRearranges>}},
});

}  // namespace
}  // namespace penstock::explorer
