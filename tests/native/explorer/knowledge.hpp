#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace penstock::explorer {

// Simulated threads, the scenario's own included. One lane of a clock is left for the total
// order of sequentially consistent operations, and eight lanes fit two vector registers.
inline constexpr std::size_t kMaxThreads = 7;
inline constexpr std::size_t kSeqCstLane = kMaxThreads;

// A vector clock: how far each thread had come.
using Clock = std::array<std::uint32_t, kMaxThreads + 1>;

inline void join(Clock& into, const Clock& from) noexcept {
  for (std::size_t i = 0; i < into.size(); ++i) {
    into[i] = from[i] > into[i] ? from[i] : into[i];
  }
}

// What a thread knows of the others, or what a release hands over.
//
// `happened` is happens-before, and decides what is a data race. `visible` is what may no longer
// be overlooked by a load: also the effect of fences, which order without synchronising.
struct Knowledge {
  Clock happened{};
  Clock visible{};

  void learn(const Knowledge& other) noexcept {
    join(happened, other.happened);
    join(visible, other.visible);
  }
};

}  // namespace penstock::explorer
