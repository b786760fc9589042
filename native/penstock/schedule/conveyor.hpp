#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "penstock/base/check.hpp"
#include "penstock/base/sync.hpp"
#include "penstock/queue/baton_ring.hpp"
#include "penstock/queue/bounded_mpmc.hpp"
#include "penstock/schedule/doorbell.hpp"
#include "penstock/schedule/line.hpp"
#include "penstock/schedule/run_window.hpp"

namespace penstock::schedule {

// The `conveyor` threading model: a run travels with its thread from station to station, hot in
// the cache, until it meets a serial station where an earlier run is not through yet. There it is
// left, and the thread that brings the baton makes it ready again. Likewise a worker leaves it
// before the lane, for the feeder.
//
// A run that pauses at a station keeps the baton and is ready again, behind the others: earlier
// runs that are ready are carried on meanwhile, and the feeder comes to what is to be collected
// (C12).
//
// Runs are admitted and collected by one thread, the feeder; any thread may carry.
template <RunnableLine Line, base::SyncPolicy Sync = base::RealSync>
class Conveyor {
 public:
  using Run = typename Line::Run;

  // `window` bounds the runs under way, and so the memory they hold. There are `more` runs, if that
  // is more, for another scheduler that takes turns with this one.
  Conveyor(Line& line, std::size_t window, Doorbell<Sync>& doorbell, std::size_t more = 0)
      : line_(&line),
        doorbell_(&doorbell),
        belt_(window),
        window_(std::make_shared<RunWindow<Run, Sync>>(std::max(window, more))),
        ready_(window),
        lane_(window) {
    rearrange();
  }

  // Takes over how the line's stations are now. For the feeder, while nothing is under way.
  void rearrange() {
    PENSTOCK_CHECK(line_->stations() >= 1 && line_->serial(line_->stations() - 1),
                   "runs must leave a conveyor in order");
    PENSTOCK_CHECK(under_way() == 0, "stations change only while no run is between them");
    window_->use(belt_);
    Rings rings(static_cast<std::size_t>(line_->stations()));
    for (int station = 0; station < line_->stations(); ++station) {
      if (!line_->serial(station)) continue;
      rings[static_cast<std::size_t>(station)] =
          std::make_unique<queue::BatonRing<Run, Sync>>(window_->size(), window_->next_serial());
    }
    Sync::write(rings_) = std::move(rings);
  }

  // The next run to fill, or null while `window` runs are under way or wait to be collected.
  [[nodiscard]] Run* try_admit() noexcept { return window_->try_admit(); }

  // Puts an admitted run on the belt for any thread to carry.
  void load(Run& run) noexcept { make_ready(run); }

  // A run that is ready to be carried on. The feeder looks into the lane first: nobody else does.
  [[nodiscard]] Run* try_take(bool feeder = false) noexcept {
    Run* run = feeder ? lane_.try_pop().value_or(nullptr) : nullptr;
    if (run == nullptr) run = ready_.try_pop().value_or(nullptr);
    if (run != nullptr) run->by_feeder = feeder;
    return run;
  }

  // Carries a run as far as it can go now.
  void carry(Run* run) noexcept {
    while (run != nullptr) run = pass_station(*run);
  }

  // Carries a run through on the feeder alone, past every baton: nothing else may be under way,
  // and rearrange() comes before the next run that is carried by more than one.
  void carry_alone(Run& run) noexcept {
    for (int station = 0; station < line_->stations(); ++station) line_->work(station, run);
    window_->complete();
  }

  // The oldest run that is through and was not collected yet; it is the feeder's until the next
  // call of try_admit().
  [[nodiscard]] Run* try_collect() noexcept { return window_->try_collect(); }
  [[nodiscard]] bool collectable() const noexcept { return window_->collectable(); }
  // Runs under way or not collected; for the feeder.
  [[nodiscard]] std::uint64_t under_way() const noexcept { return window_->under_way(); }

  // The runs, for another scheduler that takes turns with this one.
  [[nodiscard]] std::shared_ptr<RunWindow<Run, Sync>> window() const noexcept { return window_; }

 private:
  // None where any order will do.
  using Rings = std::vector<std::unique_ptr<queue::BatonRing<Run, Sync>>>;

  // The run to go on with, if any: mostly the same one.
  [[nodiscard]] Run* pass_station(Run& run) noexcept {
    const int station = run.station;
    auto* const ring = Sync::read(rings_)[static_cast<std::size_t>(station)].get();
    if (ring != nullptr && !run.has_turn && !ring->arrive(run, run.serial)) return nullptr;
    run.has_turn = true;
    const bool laned = in_lane(*line_, station);
    if (laned && !run.by_feeder) {
      make_ready(run);
      return nullptr;
    }
    if (!work_some(*line_, station, run)) {
      make_ready(run);
      return nullptr;
    }
    run.has_turn = false;
    const bool through = ++run.station == line_->stations();
    if (ring == nullptr) return laned ? stay_in_lane(run) : &run;
    Run* const next = ring->depart(run.serial);
    if (next != nullptr) {
      next->has_turn = true;
      next->by_feeder = run.by_feeder;
    }
    if (through) {
      // After the baton has gone on: the last completion is the last that is done to a ring.
      window_->complete();
      doorbell_->ring_feeder();
      return next;
    }
    if (next != nullptr) make_ready(*next);
    return laned ? stay_in_lane(run) : &run;
  }

  // While others wait in the lane, the feeder leaves to the workers what they can do as well.
  [[nodiscard]] Run* stay_in_lane(Run& run) noexcept {
    const auto waiting = lane_.try_pop();
    if (!waiting) return &run;
    (*waiting)->by_feeder = true;
    make_ready(run);
    return *waiting;
  }

  void make_ready(Run& run) noexcept {
    Run* pointer = &run;
    const bool laned = in_lane(*line_, run.station);
    auto& waiting = laned ? lane_ : ready_;
    // There is room for every run; a refusal only means that a taker has not finished yet.
    while (!waiting.try_push(pointer)) Sync::yield();
    if (laned) {
      doorbell_->ring_feeder();
    } else {
      doorbell_->ring_worker();
    }
  }

  Line* line_;
  Doorbell<Sync>* doorbell_;
  const std::size_t belt_;
  const std::shared_ptr<RunWindow<Run, Sync>> window_;
  queue::BoundedMpmc<Run*, Sync> ready_;
  queue::BoundedMpmc<Run*, Sync> lane_;  // ready as well, for the feeder
  typename Sync::template Plain<Rings> rings_;
};

}  // namespace penstock::schedule
