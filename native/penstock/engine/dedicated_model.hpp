#pragma once

#include <chrono>
#include <cstddef>

#include "penstock/engine/threading_model.hpp"
#include "penstock/schedule/dedicated_line.hpp"
#include "penstock/schedule/fused_line.hpp"

namespace penstock::engine {

// `dedicated` (S1): a thread for each operator, and queues between them. The feeder runs none.
class DedicatedModel final : public ThreadingModel {
 public:
  DedicatedModel(FlowLine& line, std::size_t window, std::size_t queue_capacity,
                 const ThreadHooks& hooks)
      : stops_(line), stations_(stops_, {.window = window, .capacity = queue_capacity}) {
    stations_.start("penstock", hooks);
  }

  [[nodiscard]] FlowRun* try_admit() override { return stations_.try_admit(); }
  void start(FlowRun& run, bool /*more*/) override { stations_.load(run); }
  [[nodiscard]] FlowRun* try_collect() override { return stations_.try_collect(); }
  [[nodiscard]] bool under_way() const override { return stations_.under_way() != 0; }
  [[nodiscard]] std::size_t waiting_hint(int station) const override {
    const int stop = stops_.stop_at(station);
    return stop < 0 ? 0 : stations_.waiting_hint(stop);
  }
  void help(std::chrono::nanoseconds limit) override { stations_.sleep(limit); }

  [[nodiscard]] int threads() const override { return stops_.stations(); }
  void dismiss() noexcept override { stations_.dismiss(); }
  [[nodiscard]] int at_work() const noexcept override { return stations_.at_work(); }

 private:
  schedule::FusedLine<FlowLine> stops_;
  schedule::DedicatedLine<schedule::FusedLine<FlowLine>> stations_;
};

}  // namespace penstock::engine
