#include "penstock/engine/control_loop.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "penstock/elastic/decision.hpp"
#include "penstock/engine/channel_loop.hpp"
#include "penstock/engine/replica_loop.hpp"
#include "penstock/engine/throughput_chooser.hpp"

namespace penstock::engine {

namespace {

std::unique_ptr<ThreadChooser> thread_chooser(const ControlLoop::Options& options) {
  if (options.time_spent) {
    return std::make_unique<UtilizationChooser>(options.range, options.time_spent);
  }
  return std::make_unique<ThroughputChooser>(options.range, options.moves_stops);
}

std::unique_ptr<ChannelChooser> channel_chooser(const ControlLoop::Options& options,
                                                ChannelLevers* channels) {
  if (options.time_spent) return std::make_unique<ReplicaLoop>(channels);
  const int first = options.first_channels != 0 ? options.first_channels : options.range.most;
  return std::make_unique<ChannelLoop>(channels, first);
}

elastic::PlanStep for_the_budget(elastic::PlanStep step, const std::string& why) {
  step.reason = "budget";
  step.text = threads_in_words(step.previous, step.chosen) + ": " + why;
  return step;
}

// A machine of which nothing is known is taken to be busy; users are told what it is.
elastic::PlanStep told(elastic::PlanStep step, const elastic::CpuRoom& room) {
  if (room.unknown.empty() || step.reason != name(elastic::Reason::kProcessorBusy)) return step;
  step.reason = "processor_unknown";
  step.text = threads_in_words(step.previous, step.chosen) + ": more were due, but " +
              room.unknown + "; a number of threads that is not elastic needs no such file";
  return step;
}

}  // namespace

std::string threads_in_words(int previous, int chosen) {
  const std::string threads = chosen == 1 ? " thread" : " threads";
  if (previous == chosen) return "stay at " + std::to_string(chosen) + threads;
  return std::to_string(previous) + " -> " + std::to_string(chosen) + threads;
}

ControlLoop::ControlLoop(Levers& levers, Options options, CpuRule cpu_rule, Nanoseconds now,
                         ChannelLevers* channels)
    : levers_(&levers),
      threads_(thread_chooser(options)),
      channels_(channel_chooser(options, channels)),
      options_(std::move(options)),
      cpu_rule_(std::move(cpu_rule)),
      began_(now) {
  // The first answer would say nothing: use is measured from one call to the next.
  static_cast<void>(cpu_rule_(now));
  levers_->adopt(threads_->plan());
}

void ControlLoop::tick(Nanoseconds now) {
  if (!measuring(now)) return;
  const Nanoseconds took = now - period_began_;
  if (took < options_.period) return;
  const int enough = took < kLongPeriods * options_.period ? kLeastRuns : kFewRuns;
  if (runs_ < enough && took < kLongestPeriods * options_.period) return;
  decide(static_cast<double>(rows_) / std::chrono::duration<double>(took).count(), now);
}

bool ControlLoop::measuring(Nanoseconds now) {
  if (!in_effect_since_) {
    if (!channels_->in_effect()) return false;
    // Where channels that are new share a stop, only one thread at a time could be at them.
    if (std::exchange(stops_are_stale_, false)) levers_->adopt(levers_->plan());
    if (!levers_->settled()) return false;
    in_effect_since_ = now;
  }
  if (warm_) return true;
  if (now - *in_effect_since_ < options_.period / 4) return false;
  warm_ = true;
  begin_period(now);
  return true;
}

void ControlLoop::begin_period(Nanoseconds now) {
  period_began_ = now;
  rows_ = 0;
  runs_ = 0;
  if (options_.outside) static_cast<void>(options_.outside());
  threads_->begin_period(now);
  channels_->begin_period();
}

void ControlLoop::decide(double throughput, Nanoseconds now) {
  for (auto past = actions_.rbegin(); past != actions_.rend() && !past->after; ++past) {
    past->after = throughput;
    ++noted_;
  }
  if (channels_turn_) {
    decide_channels(throughput, now);
    return;
  }
  const elastic::CpuRoom room = cpu_rule_(now);
  if (const int stuck = levers_->threads_with_late_ones(); stuck > levers_->threads()) {
    // S25: an operator keeps a thread that should be gone. What was measured says nothing about
    // the plan, and from now on the thread is counted, since it cannot be got rid of.
    note(threads_->hold(), throughput, now);
    note(threads_->set_least_threads(stuck), std::nullopt, now);
  } else if (const auto step = wait_on(now - period_began_)) {
    note(*step, throughput, now);
  } else {
    note(told(threads_->update(throughput, room.for_more, now), room), throughput, now);
    channels_turn_ = channels_->any() && threads_->settled();
  }
  follow_plan(now);
}

std::optional<elastic::PlanStep> ControlLoop::wait_on(Nanoseconds took) {
  waits_ = false;
  // Whoever goes by how busy threads are sees for himself that one is not.
  if (!options_.outside || options_.time_spent || levers_->threads() > 1) return std::nullopt;
  const auto [input, taker] = options_.outside();
  const auto part = [took](Nanoseconds time) { return std::chrono::duration<double>(time) / took; };
  const double outside = part(input.total + taker.total);
  if (part(input.waited + taker.waited) < kMostly && outside < kHardly) return std::nullopt;
  waits_ = true;
  auto step = threads_->hold();
  step.reason = "waiting";
  step.text = threads_in_words(step.previous, step.chosen) + ": " +
              std::to_string(std::lround(100 * outside)) +
              " % of the time passes outside of the flow, mostly with whoever " +
              (input.total >= taker.total ? "makes its input" : "takes its rows") +
              ", and more threads would not change that";
  return step;
}

void ControlLoop::limit_threads(int most, Nanoseconds now) {
  note(threads_->set_most_threads(std::max(1, most)), std::nullopt, now);
  follow_plan(now);
}

void ControlLoop::keep_to(int most, bool elastic, const std::string& why, Nanoseconds now) {
  const int previous = threads_->plan().threads;
  auto step = threads_->set_most_threads(most);
  if (!elastic) step = threads_->set_least_threads(most);
  step.previous = previous;
  note(for_the_budget(std::move(step), why), std::nullopt, now);
  follow_plan(now);
}

void ControlLoop::offer(int most, bool at_once, const std::string& why, Nanoseconds now) {
  const int previous = threads_->plan().threads;
  auto step = threads_->set_most_threads(most);
  if (at_once && !waits_) step = threads_->try_threads(most);
  step.previous = previous;
  note(for_the_budget(std::move(step), why), std::nullopt, now);
  follow_plan(now);
}

void ControlLoop::note(const elastic::PlanStep& step, std::optional<double> throughput,
                       Nanoseconds now) {
  const bool stays = step.previous == step.chosen;
  if (stays && !actions_.empty() && actions_.back().lever == step.lever &&
      actions_.back().reason == step.reason && actions_.back().chosen == step.chosen) {
    return;
  }
  ++noted_;
  if (actions_.size() == kActionsKept) actions_.pop_front();
  actions_.push_back({.seconds = std::chrono::duration<double>(now - began_).count(),
                      .lever = step.lever,
                      .previous = step.previous,
                      .chosen = step.chosen,
                      .reason = std::string(step.reason),
                      .text = step.text,
                      .before = throughput,
                      .after = std::nullopt});
}

// More threads are used only after they were granted.
void ControlLoop::ask_for_threads(Nanoseconds now) {
  const int threads = threads_->plan().threads;
  if (!options_.grant || threads <= levers_->plan().threads) return;
  const int granted = options_.grant(threads);
  if (granted >= threads) return;
  auto step = threads_->set_most_threads(std::max(1, granted));
  note(for_the_budget(std::move(step), options_.why_refused()), std::nullopt, now);
}

void ControlLoop::follow_plan(Nanoseconds now) {
  ask_for_threads(now);
  const elastic::Plan plan = threads_->plan();
  if (plan == levers_->plan()) {
    begin_period(now);
    return;
  }
  levers_->adopt(plan);
  change_begins();
}

void ControlLoop::decide_channels(double throughput, Nanoseconds now) {
  const auto step = channels_->decide(throughput, now - period_began_);
  note(step, throughput, now);
  if (channels_->settled()) {
    channels_->next_turn();
    channels_turn_ = false;
  }
  if (step.previous == step.chosen) {
    begin_period(now);
  } else {
    stops_are_stale_ = true;
    change_begins();
  }
}

}  // namespace penstock::engine
