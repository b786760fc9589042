#include <algorithm>
#include <cstddef>
#include <utility>

#include "penstock/schedule/carrier.hpp"
#include "penstock/schedule/crew.hpp"
#include "penstock/schedule/doorbell.hpp"
#include "penstock/schedule/furthest_first.hpp"
#include "penstock/schedule/least_recent_first.hpp"
#include "penstock/schedule/port_line.hpp"

#include "bench/contenders/contenders.hpp"
#include "bench/contenders/fed.hpp"

namespace penstock::bench {

namespace {

template <typename Line, typename Policy>
class PortModel {
 public:
  using Run = typename Line::Run;

  PortModel(Line& line, const Setup& setup)
      : ports_(line, limits(setup), doorbell_), crew_("bench", ports_, doorbell_) {
    crew_.set_level(setup.threads - 1);
  }

  [[nodiscard]] Run* try_admit() noexcept { return ports_.try_admit(); }
  void start(Run& run, bool last) noexcept { ports_.load(run, !last); }
  [[nodiscard]] Run* try_collect() noexcept { return ports_.try_collect(); }
  [[nodiscard]] bool under_way() const noexcept { return ports_.under_way() != 0; }
  void help() { schedule::lend_a_hand(ports_, doorbell_); }
  [[nodiscard]] bool try_help() noexcept {
    auto turn = ports_.try_take();
    if (!turn) return false;
    ports_.carry(std::move(turn));
    return true;
  }

 private:
  using Ports = schedule::PortLine<Line, base::RealSync, Policy>;

  // Single tuples need many in a queue, so that one visit to a port pays.
  [[nodiscard]] static typename Ports::Limits limits(const Setup& setup) {
    const bool single = setup.run_length == 1;
    std::size_t capacity = single ? 256 : kQueueCapacity;
    std::size_t window = single ? 1024 : kQueueCapacity;
    if (setup.capacity != 0) capacity = setup.capacity;
    if (setup.window != 0) window = setup.window;
    return {.window = std::max(window, capacity), .capacity = capacity, .budget = capacity};
  }

  schedule::Doorbell<> doorbell_;
  Ports ports_;
  schedule::Crew<Ports> crew_;  // last: its threads use all of the above
};

template <typename Line>
using FurthestModel = PortModel<Line, schedule::FurthestFirst<>>;
template <typename Line>
using LeastRecentModel = PortModel<Line, schedule::LeastRecentFirst<>>;

}  // namespace

std::unique_ptr<Contender> make_dynamic(Workload& workload, const Setup& setup) {
  return make_fed<FurthestModel>(workload, setup);
}

std::unique_ptr<Contender> make_dynamic_lru(Workload& workload, const Setup& setup) {
  return make_fed<LeastRecentModel>(workload, setup);
}

}  // namespace penstock::bench
