#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "penstock/elastic/cpu_probe.hpp"
#include "penstock/elastic/level_series.hpp"
#include "penstock/elastic/plan_controller.hpp"
#include "penstock/engine/channel_chooser.hpp"
#include "penstock/engine/levers.hpp"
#include "penstock/engine/outside.hpp"
#include "penstock/engine/thread_chooser.hpp"
#include "penstock/engine/utilization_chooser.hpp"

namespace penstock::engine {

// What was decided about a running PE, and why; also decisions to leave things as they are, but
// not the same one twice in a row.
struct Action {
  double seconds = 0;  // since the flow began
  elastic::Lever lever = elastic::Lever::kThreads;
  int previous = 0;
  int chosen = 0;
  std::string reason;
  std::string text;
  // Rows per second in the period before, and in the first one after it took effect.
  std::optional<double> before;
  std::optional<double> after;
};

// "2 -> 1 thread", or "stay at 1 thread".
[[nodiscard]] std::string threads_in_words(int previous, int chosen);

// The only place where a controller's decision becomes an action: measures the throughput of a
// period, asks the choosers, and turns the levers: threads and stops until these have settled, then
// the channels of one region after another, and so on in turn. Run by the feeder between two runs;
// time is an argument, so a test can turn it by hand. A flow of a fixed number of threads has no
// controller: there the governor does, and notes, what the budget and the caller say.
//
// A period begins once the last change is in effect and a quarter of a period has passed. It ends
// when its time is over and so many runs came through that those still under way hardly count.
// Where runs are long it makes do with fewer after four times that, because a flow that is slow to
// find its threads loses more than one that is a little wrong about them; and after twenty times
// that with any number.
//
// A period in which one thread mostly waited for others, outside of the flow, tells how fast those
// are, and nothing about threads: no more are tried, and nothing is learnt from it. Likewise where
// the thread has so little to do in the flow that it would gain next to nothing to be rid of it.
class ControlLoop {
 public:
  using Nanoseconds = std::chrono::nanoseconds;
  // Whether the machine has room for more threads; called once a period.
  using CpuRule = std::function<elastic::CpuRoom(Nanoseconds now)>;
  // Asked before more threads are used: how many of so many may be.
  using Grant = std::function<int(int threads)>;

  static constexpr int kLeastRuns = 64;
  static constexpr int kFewRuns = 24;
  static constexpr int kLongPeriods = 4;
  static constexpr int kLongestPeriods = 20;
  // Older actions are forgotten, so that a flow may run for years.
  static constexpr std::size_t kActionsKept = 4096;
  // The parts of a period from which on a thread is said to wait mostly, and to be hardly needed.
  static constexpr double kMostly = 0.5;
  static constexpr double kHardly = 0.9;

  // How long the feeder was outside of the flow since that was asked before.
  struct Outside {
    TimeOutside at_input;
    TimeOutside at_taker;  // of the output
  };

  struct Options {
    elastic::ThreadRange range;
    bool moves_stops = false;
    Nanoseconds period = std::chrono::milliseconds(100);
    // Given, threads are chosen by how busy they are and channels by where the bottleneck is;
    // otherwise both by throughput.
    UtilizationChooser::Clock time_spent;
    // Regions begin with so many channels; as many as threads if 0.
    int first_channels = 0;
    Grant grant;                               // none: the range alone decides
    std::function<std::string()> why_refused;  // goes with it
    std::function<Outside()> outside;          // none: it is not known
  };

  // Without `channels` there is no region to care for.
  ControlLoop(Levers& levers, Options options, CpuRule cpu_rule, Nanoseconds now,
              ChannelLevers* channels = nullptr);

  // A run with so many input rows came through.
  void collected(std::int64_t rows) noexcept {
    rows_ += rows;
    ++runs_;
  }

  // To be called often.
  void tick(Nanoseconds now);

  // From now on at most so many threads, whatever more of them would bring.
  void limit_threads(int most, Nanoseconds now);
  // The same, for the sake of others, with a reason; without `elastic` it is exactly so many.
  void keep_to(int most, bool elastic, const std::string& why, Nanoseconds now);
  // So many may be used, and with `at_once` are.
  void offer(int most, bool at_once, const std::string& why, Nanoseconds now);

  // The number of threads is found, as far as is known, or there is no use for more.
  [[nodiscard]] bool settled() const { return waits_ || threads_->settled(); }

  [[nodiscard]] const std::deque<Action>& actions() const noexcept { return actions_; }
  // Moves on whenever actions() has changed.
  [[nodiscard]] std::uint64_t actions_noted() const noexcept { return noted_; }

 private:
  [[nodiscard]] bool measuring(Nanoseconds now);
  void begin_period(Nanoseconds now);
  void decide(double throughput, Nanoseconds now);
  // The step to take if more threads would only wait for others.
  [[nodiscard]] std::optional<elastic::PlanStep> wait_on(Nanoseconds took);
  void note(const elastic::PlanStep& step, std::optional<double> throughput, Nanoseconds now);
  void ask_for_threads(Nanoseconds now);
  void follow_plan(Nanoseconds now);
  void decide_channels(double throughput, Nanoseconds now);
  void change_begins() noexcept {
    in_effect_since_.reset();
    warm_ = false;
  }

  Levers* levers_;
  std::unique_ptr<ThreadChooser> threads_;
  std::unique_ptr<ChannelChooser> channels_;
  bool channels_turn_ = false;
  bool waits_ = false;            // for others, in the last period
  bool stops_are_stale_ = false;  // they were placed for other channels
  Options options_;
  CpuRule cpu_rule_;
  Nanoseconds began_;
  std::optional<Nanoseconds> in_effect_since_;  // empty until the last change is in effect
  bool warm_ = false;
  Nanoseconds period_began_{};
  std::int64_t rows_ = 0;
  int runs_ = 0;
  std::deque<Action> actions_;
  std::uint64_t noted_ = 0;
};

}  // namespace penstock::engine
