#include "penstock/schedule/conveyor.hpp"

#include <cstddef>

#include "penstock/schedule/carrier.hpp"
#include "penstock/schedule/crew.hpp"
#include "penstock/schedule/doorbell.hpp"

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
      : conveyor_(line, window_of(setup), doorbell_), crew_("bench", conveyor_, doorbell_) {
    crew_.set_level(setup.threads - 1);
  }

  [[nodiscard]] Run* try_admit() noexcept { return conveyor_.try_admit(); }
  void start(Run& run, bool last) noexcept {
    // Who has nothing else to do carries the run itself: nobody needs to wake up for it.
    if (last || crew_.level() == 0) {
      conveyor_.carry(&run);
    } else {
      conveyor_.load(run);
    }
  }
  [[nodiscard]] Run* try_collect() noexcept { return conveyor_.try_collect(); }
  [[nodiscard]] bool under_way() const noexcept { return conveyor_.under_way() != 0; }
  void help() { schedule::lend_a_hand(conveyor_, doorbell_); }
  [[nodiscard]] bool try_help() noexcept {
    Run* const run = conveyor_.try_take();
    if (run != nullptr) conveyor_.carry(run);
    return run != nullptr;
  }

 private:
  schedule::Doorbell<> doorbell_;
  schedule::Conveyor<Line> conveyor_;
  schedule::Crew<schedule::Conveyor<Line>> crew_;  // last: its threads use all of the above
};

}  // namespace

std::unique_ptr<Contender> make_conveyor(Workload& workload, const Setup& setup) {
  return make_fed<ConveyorModel>(workload, setup);
}

}  // namespace penstock::bench
