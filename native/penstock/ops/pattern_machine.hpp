#pragma once

#include <cstdint>
#include <vector>

namespace penstock::ops {

// One step of a pattern: rows for which the predicate at that place is true.
struct PatternStep {
  int predicate = 0;
  int least = 1;
  int most = 1;         // rows; kAny for no limit
  bool strict = false;  // its first row is the very next one of the key

  static constexpr int kAny = 0;
};

// A sequence of steps as a machine whose states are bits. Every row that a match takes has a
// position; the state of a match in the making is the set of positions that its last row may have.
// Immutable: threads may share one.
class PatternMachine {
 public:
  static constexpr int kMostPositions = 64;

  // Throws std::invalid_argument unless 1 <= least <= most, and for too many positions.
  explicit PatternMachine(const std::vector<PatternStep>& steps);

  struct State {
    std::uint64_t now = 0;     // positions the last row of the key can have
    std::uint64_t before = 0;  // and any row from which other rows may be skipped

    friend bool operator==(const State&, const State&) = default;
    [[nodiscard]] bool is_dead() const noexcept { return (now | before) == 0; }
  };

  // The positions that a row with such predicates (a bit each) can have.
  [[nodiscard]] std::uint64_t positions(std::uint64_t predicates) const noexcept;
  // Where a row at such positions begins a match; dead if it does not.
  [[nodiscard]] State begin(std::uint64_t positions) const noexcept;
  [[nodiscard]] State step(State state, std::uint64_t positions) const noexcept;
  [[nodiscard]] bool accepts(State state) const noexcept { return (state.now & accepted_) != 0; }

 private:
  struct Step {
    std::uint64_t predicate = 0;
    std::uint64_t all = 0;
    std::uint64_t ends = 0;   // enough rows: the next step may follow
    std::uint64_t after = 0;  // the first position of the next step; 0 behind the last
    bool strictly_followed = false;
  };
  [[nodiscard]] State with(std::uint64_t now, std::uint64_t before) const noexcept {
    return {.now = now, .before = (now | before) & skipping_};
  }

  std::vector<Step> steps_;
  std::uint64_t inner_ = 0;     // the next position is of the same step
  std::uint64_t repeated_ = 0;  // may be taken again and again
  std::uint64_t skipping_ = 0;  // rows may be skipped behind it
  std::uint64_t accepted_ = 0;
};

}  // namespace penstock::ops
