#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "explorer/knowledge.hpp"
#include "explorer/random.hpp"

namespace penstock::explorer {

// Which thread runs next. Half of the seeds walk at random, each with its own eagerness to
// switch; half use probabilistic concurrency testing (Burckhardt et al., ASPLOS 2010), which
// finds a bug that needs d ordered events with a known least probability.
class Strategy {
 public:
  explicit Strategy(std::uint64_t seed) noexcept : random_(seed), by_priority_(seed % 2 == 1) {
    if (by_priority_) {
      draw_change_points();
    } else {
      constexpr std::array<std::uint32_t, 4> kEagerness{256, 128, 48, 16};
      switches_of_256_ = kEagerness[random_.below(kEagerness.size())];
    }
  }

  [[nodiscard]] Random& random() noexcept { return random_; }

  void on_spawn(std::size_t thread) noexcept {
    if (by_priority_) priorities_[thread] = kLowest + 1 + random_.below(kLowest);
  }

  // `ready` has a bit for each thread that can run, the current one included.
  [[nodiscard]] std::size_t at_step(std::uint64_t step, std::size_t current,
                                    std::uint32_t ready) noexcept {
    if (!by_priority_) return (random_.next() >> 56U) < switches_of_256_ ? any(ready) : current;
    const bool long_alone = ++steps_alone_ > kLongestAlone;
    if (long_alone || step == change_points_[0] || step == change_points_[1]) demote(current);
    const auto next = highest(ready);
    if (next != current) steps_alone_ = 0;
    return next;
  }

  // The current thread cannot go on.
  [[nodiscard]] std::size_t at_block(std::uint32_t ready) noexcept {
    steps_alone_ = 0;
    return by_priority_ ? highest(ready) : any(ready);
  }

  // The current thread has nothing to do until another one has run.
  [[nodiscard]] std::size_t at_yield(std::size_t current, std::uint32_t ready) noexcept {
    if (by_priority_) demote(current);
    const auto others = ready & ~(1U << current);
    return at_block(others != 0 ? others : ready);
  }

 private:
  static constexpr std::uint32_t kLowest = 1U << 20U;
  // A thread that waits in a loop for others must not keep the highest priority for ever.
  static constexpr std::uint32_t kLongestAlone = 400;

  // The length of a schedule is unknown beforehand, so the range of the points is drawn too.
  void draw_change_points() noexcept {
    for (auto& point : change_points_) point = 1 + random_.below(16U << random_.below(6));
  }

  void demote(std::size_t thread) noexcept {
    priorities_[thread] = --next_low_;
    steps_alone_ = 0;
  }

  [[nodiscard]] std::size_t any(std::uint32_t ready) noexcept {
    auto skip = random_.below(static_cast<std::uint32_t>(std::popcount(ready)));
    for (; skip != 0; --skip) ready &= ready - 1;
    return static_cast<std::size_t>(std::countr_zero(ready));
  }

  [[nodiscard]] std::size_t highest(std::uint32_t ready) const noexcept {
    auto best = static_cast<std::size_t>(std::countr_zero(ready));
    for (ready &= ready - 1; ready != 0; ready &= ready - 1) {
      const auto thread = static_cast<std::size_t>(std::countr_zero(ready));
      if (priorities_[thread] > priorities_[best]) best = thread;
    }
    return best;
  }

  Random random_;
  bool by_priority_;
  std::uint32_t switches_of_256_ = 0;
  std::uint32_t next_low_ = kLowest;
  std::uint32_t steps_alone_ = 0;
  std::array<std::uint64_t, 2> change_points_{};  // depth 3: two changes after the first choice
  std::array<std::uint32_t, kMaxThreads> priorities_{};
};

}  // namespace penstock::explorer
