#include "bench/policies/real_run.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <string>
#include <type_traits>

#include "penstock/policy/policy.hpp"
#include "penstock/schedule/carrier.hpp"
#include "penstock/schedule/chosen_policy.hpp"
#include "penstock/schedule/crew.hpp"
#include "penstock/schedule/doorbell.hpp"
#include "penstock/schedule/fixed_or_chosen.hpp"
#include "penstock/schedule/port_line.hpp"
#include "penstock/schedule/port_policy.hpp"

#include "bench/ordered/calibrate.hpp"
#include "bench/policies/way_line.hpp"
#include "bench/policies/ways.hpp"

namespace penstock::bench::policies {

namespace {

constexpr std::uint64_t kSpread = 0x9E3779B97F4A7C15U;  // neighbours get unlike values

template <schedule::PortPolicy Policy>
using PortsOf = schedule::PortLine<WayLine, base::RealSync, Policy>;
using Chosen = schedule::ChosenPolicy<>;

void fill(WayRun& run, std::uint64_t serial, Ways& ways) {
  run.item = {.serial = serial, .value = serial * kSpread};
  ways.draw(run.meets);
  run.item.handed_over = steady_ns();
}

template <typename Ports>
void feed(Ports& ports, schedule::Doorbell<>& doorbell, const Topology& topology,
          const RealSetup& setup) {
  Ways ways(topology, setup.seed);
  std::uint64_t sent = 0;
  while (sent < setup.tuples || ports.under_way() != 0) {
    while (ports.try_collect() != nullptr) {
    }
    WayRun* const run = sent < setup.tuples ? ports.try_admit() : nullptr;
    if (run == nullptr) {
      if (ports.under_way() != 0) schedule::lend_a_hand(ports, doorbell);
      continue;
    }
    fill(*run, sent, ways);
    ports.load(*run, ++sent < setup.tuples);
  }
}

// What one thread gets out of it; how long the work takes makes no difference to that.
[[nodiscard]] std::uint64_t expected(const Topology& topology, const RealSetup& setup) {
  WayLine line(topology, [](std::int64_t) { return 0; });
  Ways ways(topology, setup.seed);
  WayRun run;
  for (std::uint64_t serial = 0; serial < setup.tuples; ++serial) {
    fill(run, serial, ways);
    for (int station = 0; station < line.stations(); ++station) line.work(station, run);
  }
  return line.checksum();
}

template <schedule::PortPolicy Policy>
RealRun run_with(const Topology& topology, const RealSetup& setup) {
  using Ports = PortsOf<Policy>;
  const double flops_per_ns = 1e-3 * ordered::flops_per_us();
  WayLine line(topology, [flops_per_ns](std::int64_t ns) {
    return static_cast<int>(std::lround(flops_per_ns * static_cast<double>(ns)));
  });
  line.latencies().reserve(setup.tuples);
  schedule::Doorbell<> doorbell;
  Ports ports(line, {.window = setup.window, .capacity = setup.room, .budget = setup.room},
              doorbell);
  if constexpr (schedule::MeasuringPolicy<Policy>) {
    ports.policy().choose(std::make_shared<Chosen>(
        static_cast<std::size_t>(line.stations()),
        Chosen::Choice{.name = setup.policy,
                       .policy = policy::make(setup.policy, {.seed = setup.seed}),
                       .on_nonsense = [](const std::string&) {}}));
  }
  RealRun found;
  {
    schedule::Crew<Ports> crew("bench", ports, doorbell);
    crew.set_level(setup.threads - 1);
    const auto start = steady_ns();
    feed(ports, doorbell, topology, setup);
    found.seconds = 1e-9 * static_cast<double>(steady_ns() - start);
  }
  found.left = line.left();
  found.out_of_order = line.out_of_order();
  found.same = line.checksum() == expected(topology, setup) && line.left() == setup.tuples;
  // The first and the last fifth belong to starting and stopping (P15).
  auto& all = line.latencies();
  const auto fifth = static_cast<std::ptrdiff_t>(all.size() / 5);
  std::vector<std::int64_t> middle(all.begin() + fifth, all.end() - fifth);
  found.mean_latency_us = 1e-3 * std::accumulate(middle.begin(), middle.end(), 0.0) /
                          static_cast<double>(std::max<std::size_t>(middle.size(), 1));
  found.latency_us = percentiles_us(middle);
  return found;
}

}  // namespace

RealRun run_for_real(const Topology& topology, const RealSetup& setup) {
  return schedule::with_port_policy(setup.policy, false,
                                    [&]<typename Policy>(std::type_identity<Policy>) {
                                      return run_with<Policy>(topology, setup);
                                    });
}

}  // namespace penstock::bench::policies
