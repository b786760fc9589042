#pragma once

#include <cstddef>

#include "penstock/engine/threading_model.hpp"
#include "penstock/schedule/carrier.hpp"
#include "penstock/schedule/crew.hpp"
#include "penstock/schedule/doorbell.hpp"
#include "penstock/schedule/port_line.hpp"

namespace penstock::engine {

// `dynamic` (S1): operators have queues before them, and any thread runs any operator. The feeder
// is one of the threads: it runs operators whenever it has nothing to put in or to take out.
class DynamicModel final : public ThreadingModel {
 public:
  DynamicModel(FlowLine& line, int threads, std::size_t window, std::size_t queue_capacity,
               const ThreadHooks& hooks)
      : ports_(line, {.window = window, .capacity = queue_capacity}, doorbell_),
        crew_("penstock", ports_, doorbell_, hooks) {
    crew_.set_level(threads - 1);
  }

  [[nodiscard]] FlowRun* try_admit() override { return ports_.try_admit(); }
  void start(FlowRun& run) override { ports_.load(run); }
  [[nodiscard]] FlowRun* try_collect() override { return ports_.try_collect(); }
  [[nodiscard]] bool under_way() const override { return ports_.under_way() != 0; }
  void help() override { schedule::lend_a_hand(ports_, doorbell_); }

 private:
  using Ports = schedule::PortLine<FlowLine>;

  schedule::Doorbell<> doorbell_;
  Ports ports_;
  schedule::Crew<Ports> crew_;  // last: its threads use all of the above
};

}  // namespace penstock::engine
