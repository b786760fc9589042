#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "penstock/base/check.hpp"

#include "explorer/fingerprints.hpp"
#include "explorer/schedule.hpp"

namespace penstock::explorer {

struct Options {
  std::uint64_t schedules = 10'000;
  std::uint64_t seed = 1;  // of the first schedule; the next ones count up
  ScheduleOptions schedule{};
};

struct Failure {
  std::uint64_t seed = 0;
  std::string sentence;
};

struct Report {
  std::uint64_t schedules = 0;
  std::uint64_t distinct = 0;
  double distinct_percent = 0;
  std::uint64_t steps = 0;
  std::uint64_t rescues = 0;  // threads that only a time limit could wake
  double seconds = 0;
  std::optional<Failure> failure;  // the first; the exploration ends with it
};

// What a scenario expects of its own: ends the schedule with the sentence when it is not so.
inline void expect(bool condition, const char* sentence) {
  if (!condition) Schedule::running().fail(sentence);
}

// Inside a schedule a failed check ends that schedule, with its seed, not the whole process.
inline void fail_schedule(const char* file, int line, const char* sentence) {
  Schedule::running().fail(std::string(file) + ":" + std::to_string(line) + ": " + sentence);
}

class CheckGuard {
 public:
  CheckGuard() : before_(base::check_handler.exchange(&fail_schedule)) {}
  CheckGuard(const CheckGuard&) = delete;
  CheckGuard& operator=(const CheckGuard&) = delete;
  CheckGuard(CheckGuard&&) = delete;
  CheckGuard& operator=(CheckGuard&&) = delete;
  ~CheckGuard() { base::check_handler.store(before_); }

 private:
  base::CheckHandler before_;
};

// Runs `scenario` once per schedule. It makes what it tests, spawns threads, joins them and
// checks the result; it must not do anything that differs from run to run by itself.
inline Report explore(const Options& options, const std::function<void()>& scenario) {
  // Failed schedules are kept for ever, even past exit: their stacks still own what they own.
  static auto& failed = *new std::vector<std::unique_ptr<Schedule>>;
  const CheckGuard guard;
  const auto start = std::chrono::steady_clock::now();
  auto schedule = std::make_unique<Schedule>();
  Fingerprints fingerprints;
  Report report;
  for (std::uint64_t i = 0; i < options.schedules && !report.failure; ++i) {
    const std::uint64_t seed = options.seed + i;
    if (!schedule->run(seed, options.schedule, scenario)) {
      report.failure = Failure{seed, schedule->failure()};
    }
    ++report.schedules;
    report.steps += schedule->steps();
    report.rescues += schedule->rescues();
    fingerprints.add(schedule->fingerprint());
  }
  if (report.failure) failed.push_back(std::move(schedule));
  report.distinct = fingerprints.distinct();
  report.distinct_percent = fingerprints.distinct_percent();
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

}  // namespace penstock::explorer
