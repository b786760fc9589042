#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "penstock/elastic/lever.hpp"
#include "penstock/elastic/thread_controller.hpp"

namespace penstock::elastic {

// How a PE is run: threads, and how finely its stations are cut into stops for each of them.
struct Plan {
  // Instead of a number of stops: a queue before every station.
  static constexpr int kQueues = 0;

  int threads = 1;
  int stops_per_thread = 1;

  bool operator==(const Plan&) const = default;
};

// One step of a plan, in words that fit both levers.
struct PlanStep {
  Lever lever = Lever::kThreads;
  int previous = 0;
  int chosen = 0;
  std::string_view reason;
  std::string text;
};

// Turns two levers, one at a time (X4): the number of threads first, then, once that has settled,
// where the stops are, or whether queues do better. One thread needs neither. Better stops change
// what threads are worth, so these are looked at once more; a new load begins everything again.
class PlanController {
 public:
  // Fine enough that no thread waits for long, coarse enough that passing a stop costs nothing to
  // speak of: measured best or near it from ten operators to a thousand.
  static constexpr int kStopsPerThread = 8;

  // With `moves_stops` off only the threads are changed.
  PlanController(const ThreadControllerOptions& options, bool moves_stops);

  // Once per period, with the throughput of that period under plan().
  PlanStep update(double throughput, bool cpu_ok);
  // Instead of update(), when the plan was not followed in that period.
  PlanStep hold();

  // The step says whether the number of threads had to change.
  PlanStep set_least_threads(int threads);
  PlanStep set_most_threads(int threads);
  // Goes to so many at once, if they are allowed, to see what they bring.
  PlanStep try_threads(int threads);

  [[nodiscard]] Plan plan() const noexcept {
    return {.threads = threads_.level(), .stops_per_thread = stops_};
  }
  [[nodiscard]] bool settled() const noexcept;
  [[nodiscard]] const ThreadController& threads() const noexcept { return threads_; }

 private:
  struct Trial {
    int stops = 0;
    double throughput = 0;
    int periods = 1;  // that were measured; the throughput is their mean

    void add(double measured) noexcept {
      throughput = (throughput * periods + measured) / (periods + 1);
      ++periods;
    }
  };

  [[nodiscard]] PlanStep turn_threads(double throughput, bool cpu_ok);
  [[nodiscard]] PlanStep after_limit(int previous);
  [[nodiscard]] PlanStep turn_stops(double throughput);
  void note_trial(double throughput);
  [[nodiscard]] PlanStep try_stops(int stops, std::string_view reason, std::string_view why);
  [[nodiscard]] bool stops_are_due() const noexcept;
  [[nodiscard]] PlanStep choose_stops();

  ThreadController threads_;
  double sensitivity_;
  bool moves_stops_;
  int stops_ = kStopsPerThread;
  std::vector<Trial> trials_;    // at the level the threads settled at
  std::optional<Trial> chosen_;  // what the trials came to
  int chosen_for_ = 0;           // threads
};

}  // namespace penstock::elastic
