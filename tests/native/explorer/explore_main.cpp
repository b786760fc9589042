// Runs the registered scenarios and their mutants through many schedules.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "explorer/scenario.hpp"

namespace penstock::explorer {
namespace {

constexpr std::uint64_t kDefaultSchedules = 200'000;
constexpr std::uint64_t kMutantSchedules = 200'000;
// Of all schedules together; with fewer, effort goes into what was seen before. In longer runs of a
// scenario it does in any case, because a small one has no more.
constexpr double kLeastDistinctPercent = 60;
constexpr std::uint64_t kMostForDistinct = 1'000'000;

struct Arguments {
  std::string program;
  std::string only;  // empty: all scenarios
  std::uint64_t schedules = kDefaultSchedules;
  std::uint64_t seed = 1;
  bool list = false;
  bool trace = false;
  bool mutants = true;
};

struct Totals {
  int passed = 0;
  int failed = 0;
  std::uint64_t schedules = 0;
  std::uint64_t steps = 0;
  std::uint64_t rescues = 0;
  double distinct = 0;  // percent, weighted by schedules
  double seconds = 0;
};

// Also accepts 10e6.
std::uint64_t parse_count(const std::string& option, const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || value < 0 || value > 1e18) {
    throw std::invalid_argument(option + " is '" + text + "': give a number from 0 to 1e18");
  }
  // Seeds above 2^53 would lose digits on the way through a double.
  return text.find_first_of(".eE") == std::string::npos ? std::strtoull(text.c_str(), nullptr, 10)
                                                        : static_cast<std::uint64_t>(value);
}

Arguments parse(const std::vector<std::string>& words) {
  Arguments arguments;
  arguments.program = words[0];
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    const auto value = [&]() -> const std::string& {
      if (i + 1 == words.size()) throw std::invalid_argument(word + " needs a value after it");
      return words[++i];
    };
    if (word == "--list") {
      arguments.list = true;
    } else if (word == "--trace") {
      arguments.trace = true;
    } else if (word == "--no-mutants") {
      arguments.mutants = false;
    } else if (word == "--all") {
      arguments.only.clear();
    } else if (word == "--scenario") {
      arguments.only = value();
    } else if (word == "--schedules") {
      arguments.schedules = parse_count(word, value());
    } else if (word == "--seed") {
      arguments.seed = parse_count(word, value());
    } else {
      throw std::invalid_argument(
          "unknown option '" + word +
          "'; use --list, --all, --scenario NAME, --schedules N (shared out evenly), --seed S, "
          "--trace, --no-mutants");
    }
  }
  return arguments;
}

std::vector<const Scenario*> select(const Arguments& arguments) {
  std::vector<const Scenario*> selected;
  for (const Scenario& scenario : scenarios()) {
    if (arguments.only.empty() || arguments.only == scenario.name) selected.push_back(&scenario);
  }
  if (selected.empty()) {
    throw std::invalid_argument("no scenario '" + arguments.only + "'; --list shows all");
  }
  std::sort(selected.begin(), selected.end(),
            [](const Scenario* a, const Scenario* b) { return a->name < b->name; });
  return selected;
}

void run_scenario(const Arguments& arguments, const Scenario& scenario, std::uint64_t schedules,
                  Totals& totals) {
  const Options options{
      .schedules = schedules,
      .seed = arguments.seed,
      .schedule = {.timeouts_allowed = scenario.timeouts_allowed, .trace = arguments.trace}};
  const Report report = explore(options, scenario.body);
  const auto count = static_cast<double>(report.schedules);
  totals.schedules += report.schedules;
  totals.steps += report.steps;
  totals.rescues += scenario.timeouts_allowed ? 0 : report.rescues;
  totals.distinct += report.distinct_percent * count;
  totals.seconds += report.seconds;
  std::printf("%-32s %9llu schedules  %5.1f %% distinct  %5.0f steps each  %4.0f k/s  %s\n",
              scenario.name.c_str(), static_cast<unsigned long long>(report.schedules),
              report.distinct_percent, static_cast<double>(report.steps) / count,
              count / report.seconds / 1000, report.failure ? "FAILED" : "ok");
  if (!report.failure) {
    ++totals.passed;
    return;
  }
  ++totals.failed;
  const auto seed = static_cast<unsigned long long>(report.failure->seed);
  std::printf("  SEED=%llu %s\n  replay: %s --scenario %s --schedules 1 --seed %llu --trace\n",
              seed, report.failure->sentence.c_str(), arguments.program.c_str(),
              scenario.name.c_str(), seed);
}

void run_mutants(const Arguments& arguments, const Scenario& scenario, Totals& totals) {
  for (const NamedBody& mutant : scenario.mutants) {
    const Options options{.schedules = kMutantSchedules,
                          .seed = arguments.seed,
                          .schedule = {.timeouts_allowed = scenario.timeouts_allowed}};
    const Report report = explore(options, mutant.body);
    if (report.failure) {
      ++totals.passed;
      std::printf("  mutant %-34s caught after %llu: %s\n", mutant.name.c_str(),
                  static_cast<unsigned long long>(report.schedules),
                  report.failure->sentence.c_str());
    } else {
      ++totals.failed;
      std::printf("  mutant %-34s NOT CAUGHT in %llu schedules\n", mutant.name.c_str(),
                  static_cast<unsigned long long>(report.schedules));
    }
  }
}

int run(const Arguments& arguments) {
  const auto selected = select(arguments);
  if (arguments.list) {
    for (const Scenario* scenario : selected) {
      std::printf("%s (%zu mutants)\n", scenario->name.c_str(), scenario->mutants.size());
    }
    return 0;
  }
  Totals totals;
  const std::uint64_t shares = selected.size();
  const auto each = std::max<std::uint64_t>(1, (arguments.schedules + shares - 1) / shares);
  std::printf("seed %llu\n", static_cast<unsigned long long>(arguments.seed));
  for (const Scenario* scenario : selected) {
    run_scenario(arguments, *scenario, each, totals);
    // One schedule is a replay: only that schedule is of interest.
    if (arguments.mutants && each > 1) run_mutants(arguments, *scenario, totals);
    std::fflush(stdout);
  }
  const double distinct = totals.distinct / static_cast<double>(totals.schedules);
  std::printf("%llu schedules, %.1f %% distinct, %llu steps, %llu rescues, %.1f s\n",
              static_cast<unsigned long long>(totals.schedules), distinct,
              static_cast<unsigned long long>(totals.steps),
              static_cast<unsigned long long>(totals.rescues), totals.seconds);
  if (each <= kMostForDistinct && distinct < kLeastDistinctPercent) {
    ++totals.failed;
    std::printf(
        "FAILED: %.1f %% of the schedules are distinct, fewer than %.0f %%: the strategies "
        "repeat themselves\n",
        distinct, kLeastDistinctPercent);
  }
  std::printf("%d passed, %d failed\n", totals.passed, totals.failed);
  return totals.failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace penstock::explorer

int main(int argc, char** argv) {
  try {
    return penstock::explorer::run(
        penstock::explorer::parse(std::vector<std::string>(argv, argv + argc)));
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "explore: %s\n", error.what());
    return 2;
  }
}
