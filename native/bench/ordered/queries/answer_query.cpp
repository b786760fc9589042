#include "bench/ordered/queries/answer_query.hpp"

#include <cmath>
#include <memory>
#include <string_view>
#include <vector>

#include "bench/json.hpp"
#include "bench/ordered/calibrate.hpp"
#include "bench/ordered/queries/measure.hpp"

namespace penstock::bench::queries {

namespace {

// The value's entry among those that can be chosen.
template <typename Named>
[[nodiscard]] const Named& take_one(Request& request, const std::string& key,
                                    std::span<const Named> all) {
  std::vector<std::string_view> names;
  for (const Named& each : all) names.push_back(each.name);
  return all[request.take_choice(key, names)];
}

[[nodiscard]] std::size_t take_size(Request& request, const std::string& key, std::size_t fallback,
                                    long most) {
  return static_cast<std::size_t>(request.take_int(key, static_cast<long>(fallback), 1, most));
}

[[nodiscard]] int take_cost(Request& request) {
  constexpr double kMost = 1'000;
  const double us = request.take_number("us", 0);
  if (us <= kMost) return static_cast<int>(std::lround(us * ordered::flops_per_us()));
  throw RequestError("'us' is above 1000: that is the most an operator can cost for each row");
}

// Only the last one is kept: contenders take turns on one query before the next one comes.
[[nodiscard]] const Prepared& prepare(const Query& query, std::size_t rows) {
  static std::unique_ptr<const Prepared> kept;
  if (!kept || kept->query != &query || kept->input.rows.size() != rows) {
    kept.reset();
    kept = std::make_unique<const Prepared>(query, rows);
  }
  return *kept;
}

}  // namespace

std::string answer_query(Request& request) {
  constexpr long kMostRows = 10'000'000;
  constexpr long kMostSlots = 1'000'000;
  const Query& query = take_one(request, "query", queries());
  const Entry& entry = take_one(request, "contender", contenders());
  const auto rows = take_size(request, "rows", 1'000, kMostRows);
  Setup setup;
  setup.workers = take_size(request, "workers", setup.workers, 1024);
  setup.window = take_size(request, "window", setup.window, kMostSlots);
  setup.capacity = take_size(request, "capacity", setup.capacity, kMostSlots);
  setup.cost = take_cost(request);
  request.check_all_taken();
  const Measured found = measure(entry, prepare(query, rows), setup);
  return JsonObject()
      .add("rows", std::uint64_t{rows})
      .add("seconds", found.seconds)
      .add("rows_per_s", static_cast<double>(rows) / found.seconds)
      .add("cpu_s", found.cpu_seconds)
      .add("outputs", found.outputs)
      .add("lost", found.difference.lost)
      .add("duplicated", found.difference.duplicated)
      .add("out_of_order", found.difference.out_of_order)
      .add("wrong", found.difference.wrong)
      .add("correct", found.difference.none() ? "yes" : "no")
      .add("p50_us", found.latency_us.p50)
      .add("p99_us", found.latency_us.p99)
      .line();
}

}  // namespace penstock::bench::queries
