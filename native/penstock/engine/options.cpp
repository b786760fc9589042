#include "penstock/engine/options.hpp"

#include <limits>
#include <stdexcept>
#include <string>

namespace penstock::engine {

namespace {

void at_least(std::int64_t least, const std::string& name, std::int64_t value) {
  if (value >= least) return;
  throw std::invalid_argument(name + " must be " + std::to_string(least) + " or more, got " +
                              std::to_string(value));
}

}  // namespace

Options checked(Options options) {
  at_least(0, "rows_per_tuple", options.rows_per_tuple);
  at_least(1, "threads", options.threads);
  at_least(1, "queue_capacity", options.queue_capacity);
  at_least(1, "period in nanoseconds", options.period.count());
  at_least(0, "patience in nanoseconds", options.patience.count());
  if (!options.make_policy) options.policy = policy::word_of(options.policy);
  return options;
}

bool is_watched(const Options& options) noexcept {
  return options.observe || !options.trace.empty();
}

bool needs_meters(const Options& options) noexcept {
  const bool fixed =
      options.threading == Threading::kManual || options.threading == Threading::kDedicated;
  return options.controller == Controller::kUtilization && !fixed;
}

bool divides(const Options& options) noexcept {
  const bool one_at_a_time = options.threading == Threading::kManual || options.threads == 1;
  return !one_at_a_time && options.threading != Threading::kDedicated;
}

int shares_of_parts(const Options& options) noexcept {
  if (!divides(options)) return 1;
  // Before a station with a queue a thread finds several runs and stays for them: every further
  // station costs a visit, and two for each thread leave it another one where somebody is.
  constexpr int kPerThread = 2;
  if (options.threading == Threading::kDynamic) return kPerThread * options.threads;
  return std::numeric_limits<int>::max();
}

}  // namespace penstock::engine
