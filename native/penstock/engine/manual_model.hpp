#pragma once

#include <chrono>
#include <cstdint>
#include <utility>

#include "penstock/engine/threading_model.hpp"

namespace penstock::engine {

// `manual` (S1): the feeder runs every operator itself. No queue, no other thread, and nothing
// between a tuple and its result.
class ManualModel final : public ThreadingModel {
 public:
  explicit ManualModel(FlowLine& line) : line_(&line) {}

  [[nodiscard]] FlowRun* try_admit() override {
    if (under_way_) return nullptr;
    run_.serial = admitted_++;
    return &run_;
  }
  void start(FlowRun& run, bool /*more*/) override {
    under_way_ = true;
    line_->work_through(run);
  }
  [[nodiscard]] FlowRun* try_collect() override {
    return std::exchange(under_way_, false) ? &run_ : nullptr;
  }
  [[nodiscard]] bool under_way() const override { return under_way_; }
  void help(std::chrono::nanoseconds /*limit*/) override {}
  [[nodiscard]] int threads() const override { return 1; }

 private:
  FlowLine* line_;
  FlowRun run_;
  std::uint64_t admitted_ = 0;
  bool under_way_ = false;
};

}  // namespace penstock::engine
