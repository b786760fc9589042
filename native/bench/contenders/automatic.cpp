#include <chrono>
#include <cstddef>
#include <utility>

#include "penstock/base/coarse_clock.hpp"
#include "penstock/base/sync.hpp"
#include "penstock/engine/control_loop.hpp"
#include "penstock/engine/levers.hpp"
#include "penstock/engine/planned_conveyor.hpp"

#include "bench/contenders/contenders.hpp"
#include "bench/contenders/fed.hpp"

namespace penstock::bench {

namespace {

// What the control loop sees of a conveyor, as in engine::ConveyorModel.
template <typename Line>
class ConveyorLevers final : public engine::Levers {
 public:
  explicit ConveyorLevers(engine::PlannedConveyor<Line>& conveyor) : conveyor_(&conveyor) {}

  void adopt(elastic::Plan plan) override { conveyor_->follow(plan); }
  [[nodiscard]] elastic::Plan plan() const override { return conveyor_->plan(); }
  [[nodiscard]] bool settled() const override { return conveyor_->settled(); }
  [[nodiscard]] int threads() const override { return conveyor_->crew().level() + 1; }
  [[nodiscard]] int threads_with_late_ones() const override {
    return conveyor_->crew().level_with_late_ones() + 1;
  }

 private:
  engine::PlannedConveyor<Line>* conveyor_;
};

// The real control loop over the benchmark's own line. Its periods are short, so that it has
// settled before the clock starts; the rule against a busy machine does not apply, because the
// benchmark is meant to make it busy.
template <typename Line>
class AutomaticModel {
 public:
  using Run = typename Line::Run;

  AutomaticModel(Line& line, const Setup& setup)
      : conveyor_(line, setup.threads,
                  {.belt = static_cast<std::size_t>(setup.threads) * kRunsPerThread,
                   .ports = {.window = kQueueCapacity, .capacity = kQueueCapacity}},
                  "bench"),
        levers_(conveyor_),
        loop_(
            levers_,
            {.range = {.least = 1, .most = setup.threads},
             .moves_stops = true,
             .period = std::chrono::milliseconds(20)},
            [](std::chrono::nanoseconds /*now*/) -> elastic::CpuRoom { return {.for_more = true}; },
            base::RealSync::now()) {}

  [[nodiscard]] Run* try_admit() {
    // As engine::Governor does.
    const auto coarse = base::coarse_now();
    if (std::exchange(looked_, coarse) != coarse) loop_.tick(base::RealSync::now());
    return conveyor_.try_admit();
  }
  void start(Run& run, bool last) noexcept {
    if (last) {
      conveyor_.carry(run);
    } else {
      conveyor_.load(run);
    }
  }
  [[nodiscard]] Run* try_collect() noexcept {
    Run* const run = conveyor_.try_collect();
    if (run != nullptr) loop_.collected(run->count);
    return run;
  }
  [[nodiscard]] bool under_way() const noexcept { return conveyor_.under_way() != 0; }
  void help() { conveyor_.help(); }
  [[nodiscard]] bool try_help() noexcept { return conveyor_.try_help(); }

 private:
  static constexpr std::size_t kRunsPerThread = 4;

  engine::PlannedConveyor<Line> conveyor_;
  ConveyorLevers<Line> levers_;
  engine::ControlLoop loop_;
  std::chrono::nanoseconds looked_{};
};

}  // namespace

std::unique_ptr<Contender> make_automatic(Workload& workload, const Setup& setup) {
  return make_fed<AutomaticModel>(workload, setup);
}

}  // namespace penstock::bench
