#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "penstock/base/check.hpp"
#include "penstock/base/sync.hpp"
#include "penstock/schedule/conveyor.hpp"
#include "penstock/schedule/doorbell.hpp"
#include "penstock/schedule/fused_line.hpp"
#include "penstock/schedule/line.hpp"
#include "penstock/schedule/port_limits.hpp"
#include "penstock/schedule/port_line.hpp"

namespace penstock::schedule {

// How many runs may be under way. On a belt a few for each thread, so that they stay in its cache;
// where stations have queues more, so that a thread finds several at each.
struct WayLimits {
  std::size_t belt = 1;
  PortLimits ports;

  [[nodiscard]] static WayLimits alike(std::size_t window) noexcept {
    return {.belt = window, .ports = {.window = window, .capacity = window}};
  }
};

// A conveyor and a line of ports over the same stations and the same runs, of which one is in use
// at a time. Which one it is changes while nothing is under way, so workers need not be told: they
// look at both, and the one that is not in use has nothing for them.
template <RunnableLine Line, base::SyncPolicy Sync = base::RealSync>
class TwoWays {
 public:
  using Run = typename Line::Run;

 private:
  using Stops = FusedLine<Line, Sync>;
  using Ports = PortLine<Stops, Sync>;

 public:
  // What a worker has taken: a run, or a turn at a port.
  struct Work {
    Run* run = nullptr;
    typename Ports::Turn turn;

    [[nodiscard]] explicit operator bool() const noexcept { return run != nullptr || turn; }
  };

  TwoWays(Line& line, WayLimits limits, Doorbell<Sync>& doorbell)
      : line_(&line),
        doorbell_(&doorbell),
        limits_(limits),
        stops_(line),
        conveyor_(stops_, limits.belt, doorbell, limits.ports.window) {}

  // From now on runs go over ports, with a queue before every station, or over the conveyor, whose
  // stations are stops(). For the feeder, while nothing is under way.
  void use_ports(bool over_ports) {
    PENSTOCK_CHECK(under_way() == 0, "the way changes only while no run is on it");
    if (over_ports) {
      conveyor_.window()->use(limits_.ports.window);
      if (ports() == nullptr) make_ports();
    } else {
      // Runs that went another way passed no baton: the rings know nothing of them.
      conveyor_.rearrange();
    }
    over_ports_ = over_ports;
  }

  [[nodiscard]] Run* try_admit() noexcept { return conveyor_.try_admit(); }
  void load(Run& run) noexcept {
    if (over_ports_) {
      ports()->load(run);
    } else {
      conveyor_.load(run);
    }
  }
  // As load(), but where it can the feeder itself carries the run as far as it goes.
  void load_and_carry(Run& run) noexcept {
    if (over_ports_) {
      ports()->load(run);
    } else {
      run.by_feeder = true;
      conveyor_.carry(&run);
    }
  }
  // As Conveyor::carry_alone(); use_ports() comes before the next run that takes another way.
  void carry_alone(Run& run) noexcept { conveyor_.carry_alone(run); }

  [[nodiscard]] Work try_take(bool feeder = false) noexcept {
    if (Run* const run = conveyor_.try_take(feeder)) return {.run = run, .turn = {}};
    // Acquire: whoever sees the ports sees them made.
    Ports* const ports = ports_.load(std::memory_order_acquire);
    return ports == nullptr ? Work{} : Work{.run = nullptr, .turn = ports->try_take(feeder)};
  }
  void carry(Work work) noexcept {
    if (work.run != nullptr) {
      conveyor_.carry(work.run);
    } else {
      ports()->carry(std::move(work.turn));
    }
  }
  // As PortLine::look_over(), where there are ports.
  void look_over() noexcept {
    if (over_ports_) ports()->look_over();
  }

  [[nodiscard]] Run* try_collect() noexcept { return conveyor_.try_collect(); }
  [[nodiscard]] bool collectable() const noexcept { return conveyor_.collectable(); }
  [[nodiscard]] std::uint64_t under_way() const noexcept { return conveyor_.under_way(); }

  // Where the conveyor's stations are; arrange() before use_ports(false).
  [[nodiscard]] Stops& stops() noexcept { return stops_; }

 private:
  [[nodiscard]] Ports* ports() const noexcept { return ports_.load(std::memory_order_relaxed); }

  void make_ports() {
    every_station_ = std::make_unique<Stops>(*line_);
    made_ = std::make_unique<Ports>(*every_station_, limits_.ports, *doorbell_, conveyor_.window());
    ports_.store(made_.get(), std::memory_order_release);
  }

  Line* line_;
  Doorbell<Sync>* doorbell_;
  const WayLimits limits_;
  Stops stops_;
  Conveyor<Stops, Sync> conveyor_;
  bool over_ports_ = false;  // the feeder's
  std::unique_ptr<Stops> every_station_;
  std::unique_ptr<Ports> made_;
  typename Sync::template Atomic<Ports*> ports_{nullptr};
};

}  // namespace penstock::schedule
