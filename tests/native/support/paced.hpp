#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "penstock/graph/operator.hpp"

#include "support/int_batch.hpp"

namespace penstock::support {

// Passes on what comes, row by row, and pauses behind each row as often as it is told; completes
// when it has seen a value; fails at one; and gives a number out in the end.
class Paced final : public graph::Operator {
 public:
  static constexpr std::int64_t kNone = -1;

  struct Traits {
    int pauses = 0;                 // behind each row, and in finish()
    std::int64_t last = kNone;      // it wants no more behind this one
    std::int64_t bad = kNone;       // it fails at this one,
    bool fails_resumed = false;     // when it is resumed behind it
    std::int64_t farewell = kNone;  // given out by finish()
    std::atomic<int>* seen = nullptr;
    std::atomic<bool>* never_ends = nullptr;  // it pauses for ever, and tells so
  };

  explicit Paced(Traits traits) : traits_(traits) {}

  void process(const tuple::Tuple& tuple, int /*port*/, graph::Output& output) override {
    todo_ = read_column(tuple.batch);
    at_ = 0;
    go_on(output);
  }
  void finish(graph::Output& output) override {
    if (traits_.farewell == kNone) return;
    todo_ = {traits_.farewell};
    at_ = 0;
    go_on(output);
  }
  [[nodiscard]] bool paused() const noexcept override { return left_ != 0; }
  void resume(graph::Output& output) override {
    if (traits_.never_ends != nullptr) {
      *traits_.never_ends = true;
      traits_.never_ends->notify_all();
      return;
    }
    if (traits_.fails_resumed) check();
    if (--left_ == 0) pass(output);
    if (left_ == 0) go_on(output);
  }
  [[nodiscard]] bool completed() const noexcept override { return completed_; }

 private:
  void check() const {
    if (todo_[at_] == traits_.bad) throw std::runtime_error("met what it cannot work on");
  }
  void go_on(graph::Output& output) {
    while (at_ < todo_.size() && !completed_) {
      if (traits_.seen != nullptr) ++*traits_.seen;
      if (!traits_.fails_resumed) check();
      left_ = traits_.pauses;
      if (left_ != 0) return;
      pass(output);
    }
  }
  void pass(graph::Output& output) {
    const auto value = todo_[at_++];
    output.emit(make_int_batch({value}), 0);
    if (value == traits_.last) completed_ = true;
  }

  Traits traits_;
  std::vector<std::int64_t> todo_;
  std::size_t at_ = 0;
  int left_ = 0;
  bool completed_ = false;
};

inline std::unique_ptr<graph::Operator> paced(Paced::Traits traits) {
  return std::make_unique<Paced>(traits);
}

}  // namespace penstock::support
