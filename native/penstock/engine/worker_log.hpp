#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "penstock/base/tally.hpp"

namespace penstock::engine {

// What one worker made the operators do. It alone writes it, so counting shares nothing; the
// counts of a flow are the sum over its workers, which any thread may read.
//
// Two looks at the clock cost as much as a cheap operator does. Unless a trace is written, an
// operator that was quick is therefore timed once in `kTimedOneIn` visits, and taken to be as quick
// on the others. Cutting a tuple, working on a part and joining the parts take different times, so
// each is counted by itself.
class WorkerLog {
 public:
  enum class Phase : std::uint8_t { kWhole, kCut, kPart };

  // Of one operator.
  class alignas(64) Counts {
   public:
    [[nodiscard]] std::int64_t tuples() const noexcept { return tuples_.value(); }
    [[nodiscard]] std::int64_t rows_in() const noexcept { return rows_in_.value(); }
    [[nodiscard]] std::int64_t rows_out() const noexcept { return rows_out_.value(); }
    [[nodiscard]] std::int64_t busy_ns() const noexcept {
      return timed_ns_.value() + untimed_.value() * last_ns_.value();
    }

    // Whether this visit need not be timed. What a few rows took says nothing about many.
    [[nodiscard]] bool is_quick(std::int64_t rows) const noexcept {
      return untimed_.value() < most_untimed_ && rows <= most_rows_;
    }
    void count(std::int64_t tuples, std::int64_t rows_in, std::int64_t rows_out) noexcept {
      tuples_.add(tuples);
      rows_in_.add(rows_in);
      rows_out_.add(rows_out);
    }
    void untimed() noexcept { untimed_.add(1); }
    // Time that says nothing about other visits.
    void spent(std::int64_t ns) noexcept { timed_ns_.add(ns); }
    void timed(std::int64_t ns, std::int64_t rows) noexcept {
      timed_ns_.add(ns + untimed_.value() * last_ns_.value());
      untimed_.add(-untimed_.value());
      last_ns_.add(ns - last_ns_.value());
      most_rows_ = 2 * rows;
      most_untimed_ = ns < kQuickNs ? kTimedOneIn - 1 : 0;
    }

   private:
    base::Tally<> tuples_;
    base::Tally<> rows_in_;
    base::Tally<> rows_out_;
    base::Tally<> timed_ns_;  // of all visits up to the last that was timed
    base::Tally<> untimed_;   // visits since then
    base::Tally<> last_ns_;   // what that one took
    std::int64_t most_rows_ = 0;
    std::int64_t most_untimed_ = 0;
  };

  // A prime: whatever number of parts there are, each has its turn to be timed.
  static constexpr int kTimedOneIn = 61;
  static constexpr std::int64_t kQuickNs = 5'000;  // so that timing costs one percent at most

  WorkerLog(int operators, bool traced)
      : counts_(std::make_unique<Counts[]>(static_cast<std::size_t>(operators) * kPhases)),
        traced_(traced) {}

  // Tuples and rows are counted with kWhole, which is also where parts are joined.
  [[nodiscard]] Counts& counts(int node, Phase phase = Phase::kWhole) noexcept {
    return counts_[place(node, phase)];
  }
  [[nodiscard]] const Counts& counts(int node, Phase phase = Phase::kWhole) const noexcept {
    return counts_[place(node, phase)];
  }
  // Of all phases.
  [[nodiscard]] std::int64_t busy_ns(int node) const noexcept {
    return counts(node).busy_ns() + counts(node, Phase::kCut).busy_ns() +
           counts(node, Phase::kPart).busy_ns();
  }
  // Every visit is timed, and kept by the run.
  [[nodiscard]] bool traced() const noexcept { return traced_; }

 private:
  static constexpr std::size_t kPhases = 3;

  [[nodiscard]] static std::size_t place(int node, Phase phase) noexcept {
    return (static_cast<std::size_t>(node) * kPhases) + static_cast<std::size_t>(phase);
  }

  std::unique_ptr<Counts[]> counts_;  // by operator and phase
  const bool traced_;
};

static_assert(sizeof(WorkerLog::Counts) == 64, "an operator's counts are one line");

}  // namespace penstock::engine
