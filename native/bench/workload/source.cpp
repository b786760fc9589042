#include "bench/workload/source.hpp"

#include <algorithm>
#include <ctime>
#include <sys/prctl.h>

#include "bench/workload/steady.hpp"

namespace penstock::bench {

namespace {

constexpr std::uint64_t kSpread = 0x9E3779B97F4A7C15U;  // neighbours get unlike values

}  // namespace

Source::Source(std::uint64_t tuples, double rate)
    : tuples_(tuples), rate_(rate), due_(rate > 0 ? 0 : tuples) {
  if (!paced()) return;
  const double seconds = static_cast<double>(tuples) / rate;
  delays_.reserve(static_cast<std::size_t>(seconds * 1e9 / kTick) + 16);
}

int Source::fill(Item* items, int most) noexcept {
  const auto count =
      static_cast<int>(std::min<std::uint64_t>(static_cast<std::uint64_t>(most), due()));
  const std::int64_t now = paced() ? steady_ns() : 0;
  for (int i = 0; i < count; ++i) {
    items[i].serial = sent_;
    items[i].value = sent_ * kSpread;
    items[i].number = 1.0;
    items[i].handed_over = now;
    ++sent_;
  }
  return count;
}

void Source::wait() noexcept {
  if (started_ == 0) {
    started_ = steady_ns();
    // Otherwise the kernel lets every sleep last up to 50 us longer.
    prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  }
  // Ticks that passed meanwhile are not waited for: their tuples are overdue.
  ticks_ = std::max(ticks_ + 1, (steady_ns() - started_) / kTick);
  const std::int64_t wake = started_ + ticks_ * kTick;
  const timespec at{.tv_sec = wake / 1'000'000'000, .tv_nsec = wake % 1'000'000'000};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, nullptr) != 0) {
  }
  const auto planned = static_cast<double>(ticks_) * (kTick * 1e-9) * rate_;
  due_ = std::min(tuples_, std::max(sent_, static_cast<std::uint64_t>(planned)));
  if (delays_.size() < delays_.capacity()) delays_.push_back(steady_ns() - wake);
}

}  // namespace penstock::bench
