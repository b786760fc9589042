#pragma once

#include <cstdint>
#include <memory>
#include <pybind11/pybind11.h>

#include "penstock/graph/operator.hpp"

namespace penstock::binding {

// Where a loop puts what it pushed, for the length of one call.
class LoopOutput {
 public:
  // Takes the array at `address` over. `row` is that of the tuple at which the loop went on, and
  // kNoRow where there is none.
  void emit(std::uintptr_t address, std::int64_t row);
  // Puts a mark behind what was emitted.
  void punctuate();
  // The loop wants no more rows, because of that row of the tuple.
  void complete(std::int64_t row) noexcept { completed_at_ = row; }

  static constexpr std::int64_t kNoRow = -1;

 private:
  friend class PythonLoop;

  graph::Output* output_ = nullptr;
  std::int64_t completed_at_ = 0;
};

// What a driver loop calls in Python. Each returns where the loop stands, as in LoopStand, or
// (row, exception) if it failed at that row of the tuple.
struct LoopCallables {
  pybind11::function process;  // process(in_address, output), which takes the array over
  pybind11::function resume;   // resume(output), after kPaused
  pybind11::function finish;   // finish(output), once, behind the last row
  pybind11::function mark;     // mark(output), behind the rows before a mark
  pybind11::function control;  // control(in_address), which takes the array over
};

enum class LoopStand : std::int8_t { kWaits = 0, kPaused = 1, kEnded = 2 };

// A generator of Python's as an operator: it is resumed as often as what it waits for is there.
class PythonLoop final : public graph::Operator {
 public:
  explicit PythonLoop(LoopCallables body);

  void process(const tuple::Tuple& tuple, int port, graph::Output& output) override;
  // A mark goes on behind what the loop pushes when it learns of it.
  void punctuate(int port, graph::Output& output) override;
  void control(const tuple::Tuple& tuple, int port) override;
  void finish(graph::Output& output) override;
  [[nodiscard]] bool paused() const noexcept override { return stand_ == LoopStand::kPaused; }
  void resume(graph::Output& output) override;
  [[nodiscard]] bool completed() const noexcept override { return stand_ == LoopStand::kEnded; }
  [[nodiscard]] std::int64_t completed_at() const noexcept override {
    return python_->output.completed_at_;
  }
  [[nodiscard]] bool in_lane() const noexcept override { return in_lane_; }

 private:
  template <typename Call>
  void run(graph::Output& output, Call call);

  struct Python {
    LoopCallables body;
    LoopOutput output;
    pybind11::object shown;  // the output as Python sees it
  };

  std::shared_ptr<Python> python_;
  LoopStand stand_ = LoopStand::kWaits;
  bool marked_ = false;  // a mark is to go on once the loop is through with it
  bool in_lane_;
};

}  // namespace penstock::binding
