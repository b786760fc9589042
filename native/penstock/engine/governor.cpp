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
    return probe->allows_more(static_cast<std::uint64_t>(micros));
  };
}

}  // namespace

void Governor::start(ThreadingModel& model, ChannelLevers& channels,
                     std::span<const schedule::WorkerMeter<>> meters) {
  const bool automatic = options_->threading == Threading::kAutomatic;
  const bool can_change =
      options_->threading == Threading::kDynamic || options_->threading == Threading::kConveyor;
  // With one thread at a time more channels would only cost.
  const bool chooses_channels = divides(*options_) && ChannelLoop(&channels).any();
  if (!automatic && !(options_->elastic && can_change) && !chooses_channels) return;
  ControlLoop::Options how{
      .range = {.least = options_->elastic ? 1 : options_->threads, .most = options_->threads},
      .moves_stops = automatic,
      .period = options_->period,
      .time_spent = {}};
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
    most = std::min(most, options_->threads);
  }
  if (!loop_) {
    if (most == 0) return;
    auto plan = model.plan();
    plan.threads = most;
    model.adopt(plan);
    return;
  }
  if (most == 0 && !time_to_look()) return;
  const auto now = base::RealSync::now();
  if (most != 0) loop_->limit_threads(most, now);
  loop_->tick(now);
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
