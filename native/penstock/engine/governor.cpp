#include "penstock/engine/governor.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "penstock/base/coarse_clock.hpp"
#include "penstock/base/sync.hpp"
#include "penstock/elastic/cpu_probe.hpp"
#include "penstock/engine/channel_loop.hpp"
#include "penstock/engine/time_spent.hpp"

namespace penstock::engine {

namespace {

ControlLoop::CpuRule eighty_percent_rule() {
  const auto probe = std::make_shared<elastic::CpuProbe>();
  return [probe](std::chrono::nanoseconds time) {
    const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(time).count();
    return probe->room(static_cast<std::uint64_t>(micros));
  };
}

}  // namespace

int Governor::begin() {
  begun_ = true;
  began_ = base::RealSync::now();
  if (!options_->budget) return options_->threads;
  if (!changes_threads()) return options_->threads;
  budget_.emplace(*options_->budget, options_->threads, options_->elastic);
  return budget_->begin();
}

bool Governor::changes_threads() const noexcept {
  return options_->threading != Threading::kManual && options_->threading != Threading::kDedicated;
}

void Governor::start(ThreadingModel& model, ChannelLevers& channels,
                     std::span<const schedule::WorkerMeter<>> meters) {
  const bool automatic = options_->threading == Threading::kAutomatic;
  if (options_->budget && options_->threading == Threading::kDedicated) {
    options_->budget->insist(std::max(model.threads(), options_->budget->guaranteed()));
  }
  // With one thread at a time more channels would only cost.
  const bool chooses_channels = divides(*options_) && ChannelLoop(&channels).any();
  if (!automatic && !(options_->elastic && changes_threads()) && !chooses_channels) return;
  const int most = budget_ ? budget_->limit() : options_->threads;
  ControlLoop::Options how{.range = {.least = options_->elastic ? 1 : most, .most = most},
                           .moves_stops = automatic,
                           .period = options_->period,
                           .time_spent = {},
                           .first_channels = options_->threads,
                           .grant = {},
                           .why_refused = {},
                           .outside = [this]() -> ControlLoop::Outside {
                             return {.at_input = at_input_.take(), .at_taker = at_taker_.take()};
                           }};
  if (budget_) {
    how.grant = [this](int threads) { return budget_->ask(threads); };
    how.why_refused = [this] { return budget_->why(); };
  }
  if (needs_meters(*options_)) {
    how.time_spent = [meters](std::chrono::nanoseconds now) { return time_spent(meters, now); };
  }
  loop_.emplace(model, std::move(how),
                options_->cpu_rule ? options_->cpu_rule : eighty_percent_rule(),
                base::RealSync::now(), &channels);
}

void Governor::step(ThreadingModel& model) {
  int most = most_threads_.load(std::memory_order_relaxed);
  if (most != 0) {
    most_threads_.compare_exchange_strong(most, 0, std::memory_order_relaxed);
    limit_to(std::min(most, options_->threads), model);
  }
  if (options_->budget) keep_to_the_budget(model);
  if (!loop_) return;
  if (most == 0 && !time_to_look()) return;
  loop_->tick(base::RealSync::now());
  publish_actions();
}

// What the budget gives beyond the old limit it gives at its next look.
void Governor::limit_to(int most, ThreadingModel& model) {
  if (budget_) {
    budget_->set_most(most);
    most = budget_->limit();
  }
  if (loop_) {
    loop_->limit_threads(most, base::RealSync::now());
    return;
  }
  use_threads(most, "limits_changed", "the limits changed", model);
}

// Where nothing is measured there is nothing to ask: whoever says how many is obeyed.
void Governor::use_threads(int threads, const std::string& reason, const std::string& why,
                           ThreadingModel& model) {
  auto plan = model.plan();
  if (plan.threads == threads) return;
  own_actions_.push_back(
      {.seconds = std::chrono::duration<double>(base::RealSync::now() - began_).count(),
       .lever = elastic::Lever::kThreads,
       .previous = plan.threads,
       .chosen = threads,
       .reason = reason,
       .text = threads_in_words(plan.threads, threads) + ": " + why});
  if (own_actions_.size() > ControlLoop::kActionsKept) own_actions_.pop_front();
  plan.threads = threads;
  model.adopt(plan);
  const std::scoped_lock lock(mutex_);
  actions_.assign(own_actions_.begin(), own_actions_.end());
}

void Governor::keep_to_the_budget(ThreadingModel& model) {
  if (budget_) budget_->note_gone(model);
  if (!time_for_the_budget()) return;
  if (!budget_) {
    const int threads = std::max(model.threads(), options_->budget->guaranteed());
    static_cast<void>(options_->budget->look({.wanted = threads, .most = threads, .rows = rows_}));
    return;
  }
  const auto change = budget_->look(model, {.settled = loop_ && loop_->settled(), .rows = rows_});
  if (change) follow(*change, model);
}

void Governor::follow(const BudgetLoop::Change& change, ThreadingModel& model) {
  if (!loop_) {
    use_threads(change.threads, "budget", change.why, model);
    return;
  }
  const auto now = base::RealSync::now();
  if (change.more && options_->elastic) {
    loop_->offer(change.threads, change.at_once, change.why, now);
  } else {
    loop_->keep_to(change.threads, options_->elastic, change.why, now);
  }
  publish_actions();
}

void Governor::publish_actions() {
  if (loop_->actions_noted() == noted_) return;
  noted_ = loop_->actions_noted();
  const std::scoped_lock lock(mutex_);
  actions_.assign(loop_->actions().begin(), loop_->actions().end());
}

// The exact clock would cost a quick run some percent.
bool Governor::time_to_look() noexcept {
  constexpr auto kJumpsFitIn = std::chrono::milliseconds(20);
  if (options_->period < kJumpsFitIn) return true;
  const auto now = base::coarse_now();
  return std::exchange(looked_, now) != now;
}

bool Governor::time_for_the_budget() noexcept {
  constexpr auto kJumpsFitIn = std::chrono::milliseconds(20);
  const bool exact = options_->period < kJumpsFitIn;
  const auto now = exact ? base::RealSync::now() : base::coarse_now();
  if (now - looked_for_budget_ < options_->period / BudgetLoop::kLooksPerPeriod) return false;
  looked_for_budget_ = now;
  return true;
}

std::chrono::nanoseconds Governor::nap(std::chrono::nanoseconds longest) const noexcept {
  if (!budget_) return longest;
  constexpr std::chrono::nanoseconds kShortest = std::chrono::milliseconds(1);
  return std::clamp(options_->period / BudgetLoop::kLooksPerPeriod, kShortest, longest);
}

void Governor::limit_threads(int most) {
  if (most < 1) {
    throw std::invalid_argument("a flow needs at least 1 thread, got a limit of " +
                                std::to_string(most));
  }
  most_threads_.store(most, std::memory_order_relaxed);
}

std::vector<Action> Governor::actions() const {
  const std::scoped_lock lock(mutex_);
  return actions_;
}

}  // namespace penstock::engine
