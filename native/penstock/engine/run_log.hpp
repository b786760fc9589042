#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "penstock/base/sync.hpp"
#include "penstock/base/tally.hpp"
#include "penstock/engine/visit.hpp"

namespace penstock::engine {

// What the operators did to the runs that used this log, one run after another. It travels with
// the run, so whoever carries the run counts without sharing anything; the counts of a flow are
// the sum over its logs, which any thread may read.
//
// Two looks at the clock cost as much as a cheap operator does. Unless a trace is written, an
// operator that was quick is therefore timed on one run in `kTimedOneIn`, and taken to be as
// quick on the others.
class RunLog {
 public:
  struct Counts {
    base::Tally<> tuples;
    base::Tally<> rows_in;
    base::Tally<> rows_out;
    base::Tally<> busy_ns;
  };

  static constexpr int kTimedOneIn = 32;
  static constexpr std::int64_t kQuickNs = 5'000;  // so that timing costs one percent at most

  RunLog(int operators, bool traced)
      : entries_(std::make_unique<Entry[]>(static_cast<std::size_t>(operators))), traced_(traced) {
    // Each operator is visited once by a run: no visit has to make room while operators run.
    if (traced_) visits_.reserve(static_cast<std::size_t>(operators));
  }

  // For whoever carries the run: before the operator works, and after it.
  [[nodiscard]] Visit arrive(int node, std::int64_t tuples, std::int64_t rows) noexcept {
    Visit visit{.node = node, .tuples = tuples, .rows_in = rows};
    Entry& entry = entries_[static_cast<std::size_t>(node)];
    // What a few rows took says nothing about many.
    if (traced_ || entry.untimed_left == 0 || rows > 2 * entry.timed_rows) {
      visit.start_ns = base::RealSync::now().count();
    } else {
      --entry.untimed_left;
    }
    return visit;
  }
  void depart(Visit& visit, std::int64_t rows_out) noexcept {
    visit.rows_out = rows_out;
    Entry& entry = entries_[static_cast<std::size_t>(visit.node)];
    if (visit.start_ns != Visit::kUntimed) time(visit, entry);
    entry.counts.tuples.add(visit.tuples);
    entry.counts.rows_in.add(visit.rows_in);
    entry.counts.rows_out.add(rows_out);
    entry.counts.busy_ns.add(entry.timed_ns);
  }

  [[nodiscard]] const Counts& counts(int node) const noexcept {
    return entries_[static_cast<std::size_t>(node)].counts;
  }
  // Of the current run, if traced.
  [[nodiscard]] const std::vector<Visit>& visits() const noexcept { return visits_; }
  void forget_visits() noexcept { visits_.clear(); }

 private:
  struct Entry {
    Counts counts;
    std::int64_t timed_ns = 0;    // what it took when it was last timed
    std::int64_t timed_rows = 0;  // and for how many rows
    int untimed_left = 0;         // visits until it is timed again
  };

  void time(Visit& visit, Entry& entry) noexcept {
    visit.end_ns = base::RealSync::now().count();
    entry.timed_ns = visit.end_ns - visit.start_ns;
    entry.timed_rows = visit.rows_in;
    entry.untimed_left = entry.timed_ns < kQuickNs ? kTimedOneIn - 1 : 0;
    if (!traced_) return;
    visit.worker = worker_number;
    visits_.push_back(visit);
  }

  std::unique_ptr<Entry[]> entries_;
  std::vector<Visit> visits_;
  const bool traced_;
};

}  // namespace penstock::engine
