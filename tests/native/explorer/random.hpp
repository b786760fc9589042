#pragma once

#include <cstdint>

namespace penstock::explorer {

// Every choice of a schedule comes from one of these, so a seed is a whole schedule.
class Random {
 public:
  explicit Random(std::uint64_t seed) noexcept : state_(scatter(seed)) {}

  std::uint64_t next() noexcept {
    state_ ^= state_ << 13U;
    state_ ^= state_ >> 7U;
    state_ ^= state_ << 17U;
    return state_ * 0x2545F4914F6CDD1DU;
  }

  // Uniform in [0, bound), near enough for small bounds.
  std::uint32_t below(std::uint32_t bound) noexcept {
    return static_cast<std::uint32_t>(((next() >> 32U) * bound) >> 32U);
  }

  [[nodiscard]] bool one_in(std::uint32_t n) noexcept { return below(n) == 0; }

 private:
  // Neighbouring seeds must not give neighbouring schedules; and zero would stay zero.
  static std::uint64_t scatter(std::uint64_t seed) noexcept {
    seed += 0x9E3779B97F4A7C15U;
    seed = (seed ^ (seed >> 30U)) * 0xBF58476D1CE4E5B9U;
    seed = (seed ^ (seed >> 27U)) * 0x94D049BB133111EBU;
    return (seed ^ (seed >> 31U)) | 1U;
  }

  std::uint64_t state_;
};

}  // namespace penstock::explorer
