#include <cstddef>

#include "penstock/engine/planned_conveyor.hpp"

#include "bench/contenders/contenders.hpp"
#include "bench/contenders/fed.hpp"

namespace penstock::bench {

namespace {

// A thread that must leave a run finds another; more would only fill the cache. Single tuples are
// small, and threads meet less often when they are far apart.
std::size_t window_of(const Setup& setup) {
  if (setup.window != 0) return setup.window;
  return static_cast<std::size_t>(setup.threads) * (setup.run_length == 1 ? 64 : 4);
}

template <typename Line>
class ConveyorModel {
 public:
  using Run = typename Line::Run;

  ConveyorModel(Line& line, const Setup& setup)
      : conveyor_(line, setup.threads, schedule::WayLimits::alike(window_of(setup)), "bench") {}

  [[nodiscard]] Run* try_admit() { return conveyor_.try_admit(); }
  void start(Run& run, bool last) noexcept {
    // Who has nothing else to do carries the run itself: nobody needs to wake up for it.
    if (last) {
      conveyor_.carry(run);
    } else {
      conveyor_.load(run);
    }
  }
  [[nodiscard]] Run* try_collect() noexcept { return conveyor_.try_collect(); }
  [[nodiscard]] bool under_way() const noexcept { return conveyor_.under_way() != 0; }
  void help() { conveyor_.help(); }
  [[nodiscard]] bool try_help() noexcept { return conveyor_.try_help(); }

 private:
  engine::PlannedConveyor<Line> conveyor_;
};

}  // namespace

std::unique_ptr<Contender> make_conveyor(Workload& workload, const Setup& setup) {
  return make_fed<ConveyorModel>(workload, setup);
}

}  // namespace penstock::bench
