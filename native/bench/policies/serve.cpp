#include "bench/policies/serve.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>

#include "penstock/policy/policy.hpp"

#include "bench/answer_lines.hpp"
#include "bench/json.hpp"
#include "bench/policies/real_run.hpp"
#include "bench/policies/shapes.hpp"
#include "bench/policies/simulator.hpp"

namespace penstock::bench::policies {

namespace {

constexpr long kMostSlots = 100'000'000;

[[nodiscard]] std::string list() {
  std::string names;
  for (const auto name : policy::names()) {
    names += (names.empty() ? "" : ", ") + json_text(name);
  }
  return "{\"contenders\": [" + names + "]}";
}

[[nodiscard]] std::int64_t take_ns(Request& request, const std::string& key, double fallback,
                                   double unit_ns) {
  constexpr double kMost = 1e13;
  const double ns = unit_ns * request.take_number(key, fallback);
  if (ns <= kMost) return std::llround(ns);
  throw RequestError("'" + key + "' is longer than can be simulated");
}

[[nodiscard]] Arrivals take_arrivals(Request& request, const Topology& topology, int workers) {
  if (topology.nodes.front().source) return {};
  Arrivals arrivals;
  arrivals.rate = topology.capacity(workers) * request.take_number("load", 0);
  arrivals.backlog = request.take_int("backlog", 0, 0, kMostSlots);
  if ((arrivals.rate > 0) != (arrivals.backlog > 0)) return arrivals;
  throw RequestError("a query needs either 'load' or 'backlog', more than 0");
}

[[nodiscard]] std::string answer_simulate(Request& request) {
  constexpr double kMicro = 1e3;
  Machine machine;
  machine.workers = static_cast<int>(request.take_int("workers", 1, 1, 1024));
  machine.slice_ns = take_ns(request, "slice_us", 50'000, kMicro);
  machine.whole_slices = request.take_int("whole_slices", 0, 0, 1) != 0;
  machine.switch_ns = take_ns(request, "switch_us", 1, kMicro);
  machine.window_ns = std::max<std::int64_t>(1, take_ns(request, "window_us", 10'000, kMicro));
  machine.run_ns = take_ns(request, "seconds", 1, 1e9);
  const long room = request.take_int("room", 0, 0, kMostSlots);
  if (room > 0) machine.room = room;
  machine.seed = static_cast<std::uint64_t>(request.take_int("seed", 1, 0, kMostSlots));
  const policy::Parameters parameters{.slice = 1e-9 * static_cast<double>(machine.slice_ns),
                                      .capacity = request.take_int("capacity", 1024, 1, kMostSlots),
                                      .seed = machine.seed};
  const auto chosen = policy::make(request.take("policy"), parameters);
  const Topology topology = take_shape(request, true).topology(machine.workers);
  const Arrivals arrivals = take_arrivals(request, topology, machine.workers);
  request.check_all_taken();
  const Simulated found = simulate(topology, machine, arrivals, *chosen);
  const bool whole = found.entered + found.added == found.left + found.dropped + found.inside;
  return JsonObject()
      .add("tuples_per_s", found.throughput)
      .add("capacity_per_s", topology.capacity(machine.workers))
      .add("limit", topology.employs(machine.workers) ? "workers" : "operator")
      .add("mean_us", found.mean_latency_us)
      .add("p50_us", found.latency_us.p50)
      .add("p99_us", found.latency_us.p99)
      .add("left", found.left)
      .add("waiting", static_cast<std::uint64_t>(found.waiting))
      .add("inside", static_cast<std::uint64_t>(found.inside))
      .add("busy_share", found.busy_share)
      .add("out_of_order", found.out_of_order)
      .add("correct", whole && found.out_of_order == 0 ? "yes" : "no")
      .line();
}

[[nodiscard]] std::string answer_run(Request& request) {
  RealSetup setup;
  setup.policy = request.take("policy");
  static_cast<void>(
      policy::make(setup.policy, {}));  // a wrong word is refused before anything runs
  setup.threads = static_cast<int>(request.take_int("threads", setup.threads, 1, 1024));
  setup.tuples = static_cast<std::uint64_t>(request.take_int("tuples", 1, 1, kMostSlots));
  setup.room = static_cast<std::size_t>(request.take_int("room", 16, 1, 1'000'000));
  setup.window = static_cast<std::size_t>(request.take_int("window", 64, 1, 1'000'000));
  setup.seed = static_cast<std::uint64_t>(request.take_int("seed", 1, 0, kMostSlots));
  const Topology topology = take_shape(request, false).topology(setup.threads);
  request.check_all_taken();
  const RealRun found = run_for_real(topology, setup);
  return JsonObject()
      .add("tuples_per_s", static_cast<double>(setup.tuples) / found.seconds)
      .add("seconds", found.seconds)
      .add("mean_us", found.mean_latency_us)
      .add("p50_us", found.latency_us.p50)
      .add("p99_us", found.latency_us.p99)
      .add("left", found.left)
      .add("out_of_order", found.out_of_order)
      .add("correct", found.same && found.out_of_order == 0 ? "yes" : "no")
      .line();
}

}  // namespace

void serve(std::istream& in, std::ostream& out) {
  answer_lines(in, out, [](Request& request) {
    constexpr std::array<std::string_view, 3> kKinds{"simulate", "run", "list"};
    const auto kind = kKinds.at(request.take_choice("kind", kKinds));
    if (kind == "simulate") return answer_simulate(request);
    if (kind == "run") return answer_run(request);
    request.check_all_taken();
    return list();
  });
}

}  // namespace penstock::bench::policies
