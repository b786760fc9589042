#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "penstock/engine/threading_model.hpp"
#include "penstock/schedule/carrier.hpp"
#include "penstock/schedule/chosen_first.hpp"
#include "penstock/schedule/crew.hpp"
#include "penstock/schedule/doorbell.hpp"
#include "penstock/schedule/fused_line.hpp"
#include "penstock/schedule/port_line.hpp"

namespace penstock::engine {

// `dynamic` (S1): operators have queues before them, and any thread runs any operator. The feeder
// is one of the threads: it runs operators whenever it has nothing to put in or to take out.
// A policy that is chosen at run time is ChosenFirst, and `choice(operators)` makes it.
template <schedule::PortPolicy Policy>
class DynamicModel final : public ThreadingModel {
 public:
  template <typename... Choice>
  DynamicModel(FlowLine& line, int threads, schedule::PortLimits limits, const ThreadHooks& hooks,
               const Choice&... choice)
      : stops_(line),
        ports_(stops_, limits, doorbell_),
        crew_("penstock", ports_, doorbell_, hooks) {
    (choose(choice), ...);
    adopt({.threads = threads});
  }

  [[nodiscard]] FlowRun* try_admit() override { return ports_.try_admit(); }
  void start(FlowRun& run, bool more) override { ports_.load(run, more); }
  void tell_others() override { ports_.tell_others(); }
  [[nodiscard]] FlowRun* try_collect() override { return ports_.try_collect(); }
  [[nodiscard]] bool under_way() const override { return ports_.under_way() != 0; }
  [[nodiscard]] std::size_t waiting_hint(int station) const override {
    const int stop = stops_.stop_at(station);
    return stop < 0 ? 0 : ports_.waiting_hint(stop);
  }
  [[nodiscard]] std::uint64_t overruled() const override {
    return chosen_ == nullptr ? 0 : chosen_->overruled();
  }
  void help(std::chrono::nanoseconds limit) override {
    const bool carried = schedule::lend_a_hand(ports_, doorbell_, limit);
    if (!carried && !ports_.collectable()) ports_.look_over();
  }

  void adopt(elastic::Plan plan) override {
    plan_ = plan;
    crew_.set_level(plan.threads - 1);
  }
  [[nodiscard]] elastic::Plan plan() const override { return plan_; }

  [[nodiscard]] int threads() const override { return crew_.level() + 1; }
  [[nodiscard]] int threads_with_late_ones() const override {
    return crew_.level_with_late_ones() + 1;
  }
  [[nodiscard]] std::string refusal() const override { return crew_.refusal(); }
  void dismiss() noexcept override { crew_.dismiss(); }
  [[nodiscard]] int at_work() const noexcept override { return crew_.at_work(); }

 private:
  using Stops = schedule::FusedLine<FlowLine>;
  using Ports = schedule::PortLine<Stops, base::RealSync, Policy>;
  using Chosen = schedule::ChosenPolicy<>;

  // A stop is an operator to the policy, or several that are bound together.
  template <typename Choice>
  void choose(const Choice& choice) {
    const auto operators = static_cast<std::size_t>(stops_.stations());
    chosen_ = std::make_shared<Chosen>(operators, choice(operators));
    ports_.policy().choose(chosen_);
  }

  Stops stops_;
  schedule::Doorbell<> doorbell_;
  Ports ports_;
  std::shared_ptr<Chosen> chosen_;  // none where the policy is fixed
  elastic::Plan plan_;
  schedule::Crew<Ports> crew_;  // last: its threads use all of the above
};

}  // namespace penstock::engine
