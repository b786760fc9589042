// A region changes its width under way, on every scheduler: each row meets what one thread would
// have met, and no key is lost or doubled, nor when everything stops in the middle of it.

#include "penstock/region/migration.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "penstock/graph/divided_operator.hpp"
#include "penstock/schedule/carrier.hpp"
#include "penstock/schedule/conveyor.hpp"
#include "penstock/schedule/crew.hpp"
#include "penstock/schedule/dedicated_line.hpp"
#include "penstock/schedule/doorbell.hpp"
#include "penstock/schedule/elastic_conveyor.hpp"
#include "penstock/schedule/port_line.hpp"

#include "explorer/mutant.hpp"
#include "explorer/scenario.hpp"
#include "explorer/scenarios/sim_region.hpp"
#include "explorer/scenarios/sim_region_feeder.hpp"

namespace penstock::explorer {
namespace {

using graph::Resizing;
using region::Migration;
using NoFences = Mutant<SimSync, {.no_fences = true}>;
using NoAcquire = Mutant<SimSync, {.no_acquire = true}>;
using NoRelease = Mutant<SimSync, {.no_release = true}>;

constexpr std::size_t kWindow = 3;

// One member function each is replaced by a faulty one; everything else is what is shipped.
struct RowsFollowGiving : Migration {
  using Migration::Migration;
  [[nodiscard]] static bool admits_rows() noexcept { return true; }
};

struct WidthChangesEarly : Migration {
  using Migration::Migration;
  void ask_for(int channels) noexcept {
    Migration::ask_for(channels);
    asked_for = channels;
  }
  [[nodiscard]] int width() const noexcept { return asked_for.value_or(Migration::width()); }
  std::optional<int> asked_for;
};

struct LeavesTakingOut : Migration {
  using Migration::Migration;
  void came_through() {
    Migration::came_through();
    if (admits_rows()) return;
    (void)next_pulse();
    Migration::came_through();
  }
};

struct ShrinksByOnePulse : Migration {
  using Migration::Migration;
  std::optional<Pulse> next_pulse() {
    auto pulse = Migration::next_pulse();
    if (!pulse || pulse->what != Resizing::kGive) return pulse;
    came_through();
    pulse = Migration::next_pulse();
    pulse->what = Resizing::kWhole;
    return pulse;
  }
};

struct TakesWithoutWaiting : Migration {
  using Migration::Migration;
  std::optional<Pulse> next_pulse() {
    const auto pulse = Migration::next_pulse();
    if (pulse && pulse->what == Resizing::kGive) {
      Migration::came_through();
      told = true;
    }
    return pulse;
  }
  void came_through() {
    if (!told) Migration::came_through();
    told = false;
  }
  bool told = false;
};

// When the pulse that takes is due, one tuple goes before it.
struct RowsComeBetween : Migration {
  using Migration::Migration;
  std::optional<Pulse> next_pulse() {
    between = !admits_rows() && !between;
    return between ? std::nullopt : Migration::next_pulse();
  }
  bool between = false;
};

struct OnConveyor {
  template <typename Sync, typename Region, typename Feeder>
  static void run(Region& region, Feeder& feeder, bool cancels) {
    schedule::Doorbell<Sync> doorbell;
    schedule::Conveyor<Region, Sync> conveyor(region, kWindow, doorbell);
    schedule::Crew<schedule::Conveyor<Region, Sync>, Sync> crew("worker", conveyor, doorbell);
    crew.set_level(2);
    feeder.feed(conveyor, cancels, [&] { schedule::lend_a_hand(conveyor, doorbell); }, [](int) {});
  }
};

// The layout changes as well: stations are fused, queues come, and there is one thread for a while.
struct OnElasticConveyor {
  template <typename Sync, typename Region, typename Feeder>
  static void run(Region& region, Feeder& feeder, bool cancels) {
    schedule::ElasticConveyor<Region, Sync> conveyor(region, schedule::WayLimits::alike(kWindow),
                                                     "worker");
    conveyor.adopt({.threads = 3, .firsts = {0, 2, 3}});
    const auto change = [&](int admitted) {
      if (admitted == 2) conveyor.adopt({.threads = 2, .firsts = {0, 1, 2, 3}, .queues = true});
      if (admitted == 4) conveyor.adopt({.threads = 1, .firsts = {0}});
      if (admitted == 5) conveyor.adopt({.threads = 3, .firsts = {0, 1, 2, 3, 4}});
    };
    feeder.feed(conveyor, cancels, [&] { conveyor.help(); }, change);
  }
};

struct OnPorts {
  template <typename Sync, typename Region, typename Feeder>
  static void run(Region& region, Feeder& feeder, bool cancels) {
    using Ports = schedule::PortLine<Region, Sync>;
    schedule::Doorbell<Sync> doorbell;
    Ports ports(region, {.window = kWindow, .capacity = 1, .budget = 2, .head_start = {}},
                doorbell);
    schedule::Crew<Ports, Sync> crew("worker", ports, doorbell);
    crew.set_level(2);
    feeder.feed(ports, cancels, [&] { schedule::lend_a_hand(ports, doorbell); }, [](int) {});
  }
};

struct OnDedicatedLine {
  template <typename Sync, typename Region, typename Feeder>
  static void run(Region& region, Feeder& feeder, bool cancels) {
    schedule::DedicatedLine<Region, Sync> stations(region, {.window = kWindow, .capacity = 1});
    stations.start("station");
    feeder.feed(stations, cancels, [&] { stations.sleep(); }, [](int) {});
  }
};

template <typename Way, typename Sync = SimSync, typename Protocol = Migration,
          ChannelFault kFault = ChannelFault::kNone>
void the_width_changes() {
  SimRegion<Sync, kFault> region;
  SimFeeder<Sync, Protocol, SimRegion<Sync, kFault>> feeder(region);
  Way::template run<Sync>(region, feeder, false);
}

template <typename Way, typename Sync = SimSync, ChannelFault kFault = ChannelFault::kNone>
void a_cancel_loses_nothing() {
  SimRegion<Sync, kFault> region;
  SimFeeder<Sync, Migration, SimRegion<Sync, kFault>> feeder(region);
  Way::template run<Sync>(region, feeder, true);
  region.expect_nothing_lost();
}

template <typename Way, ChannelFault kFault>
constexpr auto kFaulty = the_width_changes<Way, SimSync, Migration, kFault>;

template <typename Way>
std::vector<NamedBody> mutants(NamedBody own) {
  return {
      std::move(own),
      {"rows follow giving", the_width_changes<Way, SimSync, RowsFollowGiving>},
      {"rows come between giving and taking", the_width_changes<Way, SimSync, RowsComeBetween>},
      {"width changes before the pulse", the_width_changes<Way, SimSync, WidthChangesEarly>},
      {"taking is left out", the_width_changes<Way, SimSync, LeavesTakingOut>},
      {"taking does not wait", the_width_changes<Way, SimSync, TakesWithoutWaiting>},
      {"shrinks by one pulse", the_width_changes<Way, SimSync, ShrinksByOnePulse>},
      {"new channels stand first", kFaulty<Way, ChannelFault::kNewStandsFirst>},
      {"takes of survivors only", kFaulty<Way, ChannelFault::kOnlySurvivors>},
      {"addresses by the old width", kFaulty<Way, ChannelFault::kAddressedByOld>},
      {"gives a copy", kFaulty<Way, ChannelFault::kGivesACopy>},
      {"gives nothing", kFaulty<Way, ChannelFault::kGivesNothing>},
  };
}

const Registered kConveyor({
    .name = "migration.conveyor",
    .body = the_width_changes<OnConveyor>,
    .mutants = mutants<OnConveyor>({"no release", the_width_changes<OnConveyor, NoRelease>}),
});
const Registered kElastic({
    .name = "migration.elastic_conveyor",
    .body = the_width_changes<OnElasticConveyor>,
    .mutants = mutants<OnElasticConveyor>({"no acquire",
                                           the_width_changes<OnElasticConveyor, NoAcquire>}),
});
const Registered kPorts({
    .name = "migration.port_line",
    .body = the_width_changes<OnPorts>,
    .mutants = mutants<OnPorts>({"no fences", the_width_changes<OnPorts, NoFences>}),
});
const Registered kDedicated({
    .name = "migration.dedicated_line",
    .body = the_width_changes<OnDedicatedLine>,
    .mutants = mutants<OnDedicatedLine>({"no acquire",
                                         the_width_changes<OnDedicatedLine, NoAcquire>}),
});

template <typename Way>
Scenario cancelled(const std::string& way) {
  return {
      .name = "migration.cancel_" + way,
      .body = a_cancel_loses_nothing<Way>,
      .mutants = {{"gives a copy", a_cancel_loses_nothing<Way, SimSync, ChannelFault::kGivesACopy>},
                  {"no release", a_cancel_loses_nothing<Way, NoRelease>}},
  };
}

const Registered kCancelConveyor(cancelled<OnConveyor>("conveyor"));
const Registered kCancelElastic(cancelled<OnElasticConveyor>("elastic_conveyor"));
const Registered kCancelPorts(cancelled<OnPorts>("port_line"));
const Registered kCancelDedicated(cancelled<OnDedicatedLine>("dedicated_line"));

}  // namespace
}  // namespace penstock::explorer
