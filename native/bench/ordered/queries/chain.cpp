#include "bench/ordered/queries/chain.hpp"

#include <utility>

#include "penstock/base/sync.hpp"
#include "penstock/base/thread.hpp"

namespace penstock::bench::queries {

namespace {

constexpr std::size_t kFill = 256;  // rows that whoever fills puts in at once

}  // namespace

Chain::Chain(const Input& input, std::vector<Step> steps, Results& results, const MakeStation& make)
    : steps_(std::move(steps)), source_(input), results_(&results) {
  for (std::size_t i = 0; i < steps_.size(); ++i) stations_.push_back(make(*this, steps_[i], i));
}

void Chain::run(std::size_t workers) {
  std::vector<base::Thread> threads;
  for (std::size_t worker = 1; worker < workers; ++worker) {
    threads.emplace_back(base::ThreadOptions{.name = "worker"},
                         [this, worker] { work_to_the_end(worker); });
  }
  work_to_the_end(0);
  for (auto& thread : threads) thread.join();
}

void Chain::push(std::size_t index, Row& row, std::size_t worker) noexcept {
  if (index == stations_.size()) {
    results_->take(row);
    return;
  }
  while (!stations_[index]->try_push(row)) {
    if (!try_work_from(index, worker)) base::RealSync::yield();
  }
}

void Chain::work_to_the_end(std::size_t worker) noexcept {
  while (finished_.load(std::memory_order_acquire) != stations_.size()) {
    if (try_work_from(0, worker) || try_fill() || try_finish(worker)) continue;
    base::RealSync::yield();
  }
}

bool Chain::try_work_from(std::size_t first, std::size_t worker) noexcept {
  for (auto i = stations_.size(); i-- > first;) {
    if (stations_[i]->try_work(worker)) return true;
  }
  return false;
}

bool Chain::try_fill() noexcept {
  if (filled_.load(std::memory_order_relaxed)) return false;
  const auto role = filling_.try_take();
  if (!role) return false;
  std::size_t filled = 0;
  for (; filled < kFill && !source_.empty(); ++filled) {
    Row row = source_.next();
    if (!stations_.front()->try_push(row)) break;
    source_.move_past();
  }
  if (source_.empty()) filled_.store(true, std::memory_order_release);
  return filled != 0;
}

bool Chain::try_finish(std::size_t worker) noexcept {
  if (!filled_.load(std::memory_order_acquire)) return false;
  const auto role = finishing_.try_take();
  if (!role) return false;
  // Nothing can come to this station any more: what is pushed is all.
  const auto index = finished_.load(std::memory_order_relaxed);
  if (index == stations_.size() || !stations_[index]->is_idle()) return false;
  Unit unit;
  if (steps_[index].finish) steps_[index].finish(unit);
  unit.hand_out([this, index, worker](Row& row) { push(index + 1, row, worker); });
  finished_.store(index + 1, std::memory_order_release);
  return true;
}

}  // namespace penstock::bench::queries
