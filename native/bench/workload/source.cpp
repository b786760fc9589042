#include "bench/workload/source.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <sys/prctl.h>

#include "bench/workload/steady.hpp"

namespace penstock::bench {

namespace {

constexpr std::uint64_t kSpread = 0x9E3779B97F4A7C15U;  // neighbours get unlike values

}  // namespace

Source::Source(std::uint64_t tuples, double rate)
    : tuples_(tuples), tuples_per_tick_(rate * 1e-9 * kTick), due_(paced() ? 0 : tuples) {
  if (!paced()) return;
  delays_.reserve(static_cast<std::size_t>(static_cast<double>(tuples) / tuples_per_tick_) + 16);
}

void Source::write(const Claim& claim, Item* items) const noexcept {
  for (int i = 0; i < claim.count; ++i) {
    const std::uint64_t serial = claim.first + static_cast<std::uint64_t>(i);
    items[i].serial = serial;
    items[i].value = serial * kSpread;
    items[i].number = 1.0;
    if (paced()) items[i].handed_over = handed_over(serial, claim.woke);
  }
}

int Source::fill(Item* items, int most) noexcept {
  const Claim claimed = claim(most);
  write(claimed, items);
  return claimed.count;
}

std::int64_t Source::handed_over(std::uint64_t serial, std::int64_t woke) const noexcept {
  if (woke != 0) return woke;
  return started_ + kTick * static_cast<std::int64_t>(
                                std::ceil(static_cast<double>(serial + 1) / tuples_per_tick_));
}

void Source::wait() noexcept {
  if (started_ == 0) {
    started_ = steady_ns();
    // Otherwise the kernel lets every sleep last up to 50 us longer.
    prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);  // NOLINT(*-vararg)
  }
  const std::int64_t passed = (steady_ns() - started_) / kTick;
  const bool overdue = passed > ticks_;
  const std::int64_t due_at = started_ + (ticks_ + 1) * kTick;
  ticks_ = overdue ? passed : ticks_ + 1;
  woke_ = overdue ? 0 : sleep_until(due_at);
  if (delays_.size() < delays_.capacity()) {
    delays_.push_back((overdue ? steady_ns() : woke_) - due_at);
  }
  const double planned = static_cast<double>(ticks_) * tuples_per_tick_;
  due_ = std::min(tuples_, std::max(sent_, static_cast<std::uint64_t>(planned)));
}

std::int64_t Source::sleep_until(std::int64_t time) noexcept {
  const timespec at{.tv_sec = time / 1'000'000'000, .tv_nsec = time % 1'000'000'000};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, nullptr) != 0) {
  }
  return steady_ns();
}

}  // namespace penstock::bench
