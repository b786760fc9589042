#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "penstock/base/cache_line.hpp"
#include "penstock/base/check.hpp"
#include "penstock/queue/keyed_queue.hpp"
#include "penstock/queue/reorderer.hpp"

#include "bench/ordered/queries/step.hpp"
#include "bench/workload/steady.hpp"

namespace penstock::bench::queries {

// Runs a step on one row; marks pass by themselves.
inline void run_step(const Step& step, std::size_t partition, Row& row, Unit& out) {
  if (row.mark && row.entered == 0) row.entered = steady_ns();
  if (!row.mark || step.kind == Kind::kStateful) step.work(partition, row, out);
  if (row.mark) out.add(std::move(row));
}

// A step with the worklist before it and the reordering scheme behind it.
class Station {
 public:
  Station() = default;
  Station(const Station&) = delete;
  Station& operator=(const Station&) = delete;
  Station(Station&&) = delete;
  Station& operator=(Station&&) = delete;
  virtual ~Station() = default;

  // Numbers a row and puts it into the worklist, or leaves it with the caller. For one thread at a
  // time: whoever's turn it is to send from the station before.
  [[nodiscard]] virtual bool try_push(Row& row) noexcept = 0;
  // Works on some of the rows that wait. False when there were none.
  [[nodiscard]] virtual bool try_work(std::size_t worker) noexcept = 0;
  // Whether everything that was pushed so far has been sent on.
  [[nodiscard]] virtual bool is_idle() const noexcept = 0;
};

// `Send` is called with a worker and a row, in order, and may work at later stations to find room.
// It never comes back to this one, so whoever waits here waits for a thread that gets on (X1).
//
// A row is let in only while it is inside the window of the reordering scheme. What was let in can
// then always be handed over: a worker never waits with a row in its hands (X2).
template <queue::KeyedQueue Worklist, queue::Reorderer Scheme, typename Send>
class OrderedStation final : public Station {
 public:
  // Neither the worklist nor the scheme can be moved: both are made in place by what is given.
  template <typename MakeWorklist, typename MakeScheme>
  OrderedStation(Step step, Send send, MakeWorklist make_worklist, MakeScheme make_scheme)
      : step_(std::move(step)),
        send_(std::move(send)),
        worklist_(make_worklist()),
        reorder_(make_scheme()) {}

  bool try_push(Row& row) noexcept override {
    const auto serial = pushed_.load(std::memory_order_relaxed);
    if (serial >= reorder_.next_hint() + reorder_.size()) return false;
    row.serial = serial;
    // Always granted: one thread at a time comes here.
    if (!worklist_.try_produce()->try_push(partition_of(row), row)) return false;
    pushed_.store(serial + 1, std::memory_order_release);
    return true;
  }

  bool try_work(std::size_t worker) noexcept override {
    std::size_t rows = 0;
    const auto work = [this, worker, &rows](std::size_t partition, Row&& row) noexcept {
      work_on(partition, row, worker);
      ++rows;
    };
    std::size_t tries = 0;
    while (tries < kSlice && rows < kSlice && worklist_.try_work(worker, work)) ++tries;
    return tries != 0;
  }

  bool is_idle() const noexcept override {
    return reorder_.next_hint() == pushed_.load(std::memory_order_acquire);
  }

 private:
  // Rows before other stations are looked at again (P10): as many as one visit to a partition.
  static constexpr std::size_t kSlice = 64;
  static constexpr std::uint64_t kScatter = 0x9E3779B97F4A7C15U;

  [[nodiscard]] std::size_t partition_of(const Row& row) const noexcept {
    if (worklist_.partitions() == 1) return 0;
    const auto key = static_cast<std::uint64_t>(row.mark ? row.at : step_.key(row));
    return ((key + 1) * kScatter >> 32U) % worklist_.partitions();
  }

  void work_on(std::size_t partition, Row& row, std::size_t worker) noexcept {
    const auto serial = row.serial;
    Unit unit;
    run_step(step_, partition, row, unit);
    const auto send = [this, worker](Unit&& ready) noexcept {
      ready.hand_out([this, worker](Row& each) { send_(worker, each); });
    };
    const bool handed_over =
        unit.empty() ? reorder_.try_skip(serial, send) : reorder_.try_send(serial, unit, send);
    PENSTOCK_CHECK(handed_over, "A row that was let in is inside the window.");
  }

  const Step step_;
  const Send send_;
  Worklist worklist_;
  Scheme reorder_;
  alignas(base::kCacheLine) std::atomic<std::uint64_t> pushed_{0};
};

// The scheme of an operator that one thread at a time works on, row after row: there is nothing to
// put back into order (P9).
class NoReorder {
 public:
  using Unit = queries::Unit;

  explicit NoReorder(std::size_t /*window*/) {}  // like the others

  template <queue::UnitSender<Unit> Send>
  [[nodiscard]] bool try_send(std::uint64_t serial, Unit& unit, const Send& send) noexcept {
    send(std::move(unit));
    next_.store(serial + 1, std::memory_order_release);
    return true;
  }
  template <queue::UnitSender<Unit> Send>
  [[nodiscard]] bool try_skip(std::uint64_t serial, const Send& /*send*/) noexcept {
    next_.store(serial + 1, std::memory_order_release);
    return true;
  }
  [[nodiscard]] std::uint64_t next_hint() const noexcept {
    return next_.load(std::memory_order_acquire);
  }
  [[nodiscard]] std::size_t size() const noexcept { return std::size_t{1} << 62U; }

 private:
  std::atomic<std::uint64_t> next_{0};
};

static_assert(queue::Reorderer<NoReorder>);

}  // namespace penstock::bench::queries
