#include "bench/ordered/serve.hpp"

#include <array>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/answer_lines.hpp"
#include "bench/json.hpp"
#include "bench/ordered/calibrate.hpp"
#include "bench/ordered/measure.hpp"
#include "bench/ordered/migration.hpp"
#include "bench/ordered/queries/answer_query.hpp"

namespace penstock::bench::ordered {

namespace {

constexpr long kMostTuples = 1'000'000'000;
constexpr long kMostSlots = 1'000'000;
constexpr long kMostFlops = 1'000'000'000;

[[nodiscard]] std::string list() {
  std::string names;
  for (const Entry& entry : contenders()) {
    names += (names.empty() ? "" : ", ") + json_text(entry.name);
  }
  return "{\"contenders\": [" + names + "]}";
}

[[nodiscard]] const Entry& take_contender(Request& request) {
  std::vector<std::string_view> names;
  for (const Entry& entry : contenders()) names.push_back(entry.name);
  return contenders()[request.take_choice("contender", names)];
}

[[nodiscard]] KeyChoice take_keys(Request& request, const Entry& entry) {
  constexpr std::array<std::string_view, 4> kNames{"none", "uniform", "zipf", "gaussian"};
  constexpr std::array kSpreads{Spread::kNone, Spread::kUniform, Spread::kZipf, Spread::kGaussian};
  const std::span<const std::string_view> names(kNames);
  const bool with = entry.keyed;
  const bool without = entry.stateless;
  const std::size_t first = without ? 0 : 1;
  const auto allowed = names.subspan(first, with ? names.size() - first : 1);
  KeyChoice choice;
  choice.spread = kSpreads.at(first + request.take_choice("keys", allowed));
  if (choice.spread == Spread::kNone) return choice;
  choice.keys = static_cast<std::uint32_t>(request.take_int("distinct", 1000, 1, 10'000'000));
  if (choice.spread == Spread::kZipf) {
    choice.exponent = request.take_number("exponent", choice.exponent);
  }
  if (choice.spread == Spread::kGaussian) {
    choice.mean = request.take_number("mean", choice.mean);
    choice.sigma = request.take_number("sigma", choice.sigma);
    if (choice.mean > 1) {
      throw RequestError("'mean' is above 1, but must be from 0 to 1: keys lie from -1 to 1");
    }
  }
  return choice;
}

[[nodiscard]] int take_cost(Request& request) {
  const double us = request.take_number("us", 0);
  const long cost = request.take_int("cost", 1, 0, kMostFlops);
  if (us == 0) return static_cast<int>(cost);
  const double flops = us * flops_per_us();
  if (flops > static_cast<double>(kMostFlops)) {
    throw RequestError("'us' is too large: an operator can have " + std::to_string(kMostFlops) +
                       " floating point operations at most");
  }
  return static_cast<int>(std::lround(flops));
}

[[nodiscard]] Task take_task(Request& request, const Entry& entry) {
  Task task;
  task.keys = take_keys(request, entry);
  task.cost = take_cost(request);
  task.send_cost = static_cast<int>(request.take_int("send_cost", 0, 0, kMostFlops));
  task.selectivity = static_cast<int>(request.take_int("selectivity", 1, 0, 1'000));
  task.warm = static_cast<std::uint64_t>(request.take_int("warm", 0, 0, kMostTuples));
  task.tuples =
      task.warm + static_cast<std::uint64_t>(request.take_int("tuples", 1, 1, kMostTuples));
  constexpr std::array<std::string_view, 2> kTimed{"yes", "no"};
  task.timed = request.take_choice("timed", kTimed) == 0;
  return task;
}

[[nodiscard]] Setup take_setup(Request& request) {
  const auto take = [&request](const char* key, std::size_t fallback, long least) {
    return static_cast<std::size_t>(
        request.take_int(key, static_cast<long>(fallback), least, kMostSlots));
  };
  Setup setup;
  setup.workers = static_cast<int>(request.take_int("workers", setup.workers, 1, 1024));
  setup.window = take("window", setup.window, 1);
  setup.capacity = take("capacity", setup.capacity, 1);
  setup.partitions = take("partitions", setup.partitions, 0);
  setup.burst = take("burst", setup.burst, 1);
  return setup;
}

[[nodiscard]] std::string answer_measure(Request& request) {
  const Entry& entry = take_contender(request);
  const Task task = take_task(request, entry);
  const Setup setup = take_setup(request);
  request.check_all_taken();
  const Measured found = measure(entry, task, setup);
  JsonObject answer;
  answer.add("tuples", found.tuples)
      .add("seconds", found.seconds)
      .add("tuples_per_s", static_cast<double>(found.tuples) / found.seconds)
      .add("cpu_s", found.cpu_seconds)
      .add("flops", static_cast<std::uint64_t>(task.cost))
      .add("retries", found.retries)
      .add("outputs", found.outputs)
      .add("lost", found.lost)
      .add("duplicated", found.duplicated)
      .add("out_of_order", found.out_of_order)
      // As text: JSON's numbers are often read as floating point.
      .add("checksum", std::to_string(found.checksum))
      .add("correct", found.correct() ? "yes" : "no");
  if (task.timed) {
    answer.add("blocked_s", found.blocked_seconds).add("blocked_share", found.blocked_share);
  }
  if (found.latency_us) {
    answer.add("p50_us", found.latency_us->p50).add("p99_us", found.latency_us->p99);
  }
  return answer.line();
}

[[nodiscard]] std::string answer_migrate(Request& request) {
  constexpr long kMostKeys = 100'000'000;
  constexpr long kMostChannels = 1024;
  const long keys = request.take_int("keys", 1000, 1, kMostKeys);
  const long from = request.take_int("channels", 1, 1, kMostChannels);
  const long to = request.take_int("to", 2, 1, kMostChannels);
  request.check_all_taken();
  const Migrated found = migrate(keys, static_cast<int>(from), static_cast<int>(to));
  return JsonObject()
      .add("seconds", found.seconds)
      .add("moved", found.moved)
      .add("between_survivors", found.between_survivors)
      .add("correct", found.correct ? "yes" : "no")
      .line();
}

}  // namespace

void serve(std::istream& in, std::ostream& out) {
  answer_lines(in, out, [](Request& request) {
    constexpr std::array<std::string_view, 4> kKinds{"measure", "query", "migrate", "list"};
    const auto kind = kKinds.at(request.take_choice("kind", kKinds));
    if (kind == "measure") return answer_measure(request);
    if (kind == "query") return queries::answer_query(request);
    if (kind == "migrate") return answer_migrate(request);
    request.check_all_taken();
    return list();
  });
}

}  // namespace penstock::bench::ordered
