#pragma once

#include <cstddef>

#include "penstock/engine/threading_model.hpp"
#include "penstock/schedule/carrier.hpp"
#include "penstock/schedule/conveyor.hpp"
#include "penstock/schedule/crew.hpp"
#include "penstock/schedule/doorbell.hpp"

namespace penstock::engine {

// `conveyor`: a run travels with its thread from operator to operator. The feeder is one of the
// threads: it carries runs whenever it has nothing to put in or to take out.
class ConveyorModel final : public ThreadingModel {
 public:
  ConveyorModel(FlowLine& line, int threads, std::size_t window, const ThreadHooks& hooks)
      : conveyor_(line, window, doorbell_), crew_("penstock", conveyor_, doorbell_, hooks) {
    crew_.set_level(threads - 1);
  }

  [[nodiscard]] FlowRun* try_admit() override { return conveyor_.try_admit(); }

  void start(FlowRun& run) override {
    // Alone, carrying it on is what would happen anyway, only later.
    if (crew_.level() == 0) {
      conveyor_.carry(&run);
    } else {
      conveyor_.load(run);
    }
  }

  [[nodiscard]] FlowRun* try_collect() override { return conveyor_.try_collect(); }
  [[nodiscard]] bool under_way() const override { return conveyor_.under_way() != 0; }

  void help() override { schedule::lend_a_hand(conveyor_, doorbell_); }

 private:
  schedule::Doorbell<> doorbell_;
  schedule::Conveyor<FlowLine> conveyor_;
  schedule::Crew<schedule::Conveyor<FlowLine>> crew_;  // last: its threads use all of the above
};

}  // namespace penstock::engine
