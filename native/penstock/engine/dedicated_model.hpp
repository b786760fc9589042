#pragma once

#include <cstddef>

#include "penstock/engine/threading_model.hpp"
#include "penstock/schedule/dedicated_line.hpp"

namespace penstock::engine {

// `dedicated` (S1): a thread for each operator, and queues between them. The feeder runs none.
class DedicatedModel final : public ThreadingModel {
 public:
  DedicatedModel(FlowLine& line, std::size_t window, std::size_t queue_capacity,
                 const ThreadHooks& hooks)
      : stations_(line, {.window = window, .capacity = queue_capacity}) {
    stations_.start("penstock", hooks);
  }

  [[nodiscard]] FlowRun* try_admit() override { return stations_.try_admit(); }
  void start(FlowRun& run) override { stations_.load(run); }
  [[nodiscard]] FlowRun* try_collect() override { return stations_.try_collect(); }
  [[nodiscard]] bool under_way() const override { return stations_.under_way() != 0; }
  void help() override { stations_.sleep(); }

 private:
  schedule::DedicatedLine<FlowLine> stations_;
};

}  // namespace penstock::engine
