#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "penstock/base/check.hpp"
#include "penstock/base/sync.hpp"
#include "penstock/schedule/doorbell.hpp"
#include "penstock/schedule/furthest_first.hpp"
#include "penstock/schedule/line.hpp"
#include "penstock/schedule/port.hpp"
#include "penstock/schedule/port_lane.hpp"
#include "penstock/schedule/port_limits.hpp"
#include "penstock/schedule/port_policy.hpp"
#include "penstock/schedule/run_window.hpp"

namespace penstock::schedule {

// The `dynamic` threading model (Schneider & Wu 2017, §4.1): before each station waits a port
// queue, and any thread that holds its consumer role may run the station on what is in it. Every
// station is serial here, whatever the line says: the queue is what keeps the order.
//
// A port has work when a run waits in it and there is room in the next one. Room is looked for
// before the station is run, so nobody ever holds a run it cannot put down.
//
// A thread follows what it has served to the next station, where it is still hot in the cache. It
// lets others have it when they have nothing to do and it has been at it for a while. A thread
// that meets a full port goes on to serve that port instead (S13), without keeping its place: no
// recursion, however long the line is (A5).
//
// A run that pauses at a station stays at the front of its port, and the turn ends as any other:
// what the station wrote is handed over with the consumer role, and only then is the port put up
// again (A38).
//
// Whoever may have given a port work looks at it after a full fence, and so does whoever stops
// serving it. Of a thread that serves and one that brings work, at least one therefore sees the
// other, and puts the port up for anybody to take.
template <RunnableLine Line, base::SyncPolicy Sync = base::RealSync,
          PortPolicy Policy = FurthestFirst<Sync>>
class PortLine {
 public:
  using Run = typename Line::Run;

 private:
  using Port = schedule::Port<Run, Sync>;
  using Queue = typename Port::Queue;

 public:
  // The right to run a station; dropping it gives the right back. Empty when it was refused.
  class Turn {
   public:
    Turn() = default;
    Turn(Turn&& other) noexcept
        : line_(std::exchange(other.line_, nullptr)),
          station_(other.station_),
          by_feeder_(other.by_feeder_),
          consumer_(std::move(other.consumer_)) {}
    Turn& operator=(Turn&& other) noexcept {
      if (this == &other) return *this;
      end();
      line_ = std::exchange(other.line_, nullptr);
      station_ = other.station_;
      by_feeder_ = other.by_feeder_;
      consumer_ = std::move(other.consumer_);
      return *this;
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn() { end(); }

    [[nodiscard]] explicit operator bool() const noexcept { return line_ != nullptr; }

   private:
    friend PortLine;
    Turn(PortLine& line, std::size_t station, bool feeder, typename Queue::Consumer role) noexcept
        : line_(&line), station_(station), by_feeder_(feeder), consumer_(std::move(role)) {}

    void end() noexcept {
      if (PortLine* const line = std::exchange(line_, nullptr)) line->stop_serving(*this);
    }

    PortLine* line_ = nullptr;
    std::size_t station_ = 0;
    bool by_feeder_ = false;
    std::optional<typename Queue::Consumer> consumer_;
  };

  using Limits = PortLimits;

  PortLine(Line& line, Limits limits, Doorbell<Sync>& doorbell)
      : PortLine(line, limits, doorbell, std::make_shared<RunWindow<Run, Sync>>(limits.window)) {}

  // On the runs of another scheduler, with which this one takes turns while none is under way.
  PortLine(Line& line, Limits limits, Doorbell<Sync>& doorbell,
           std::shared_ptr<RunWindow<Run, Sync>> window)
      : line_(&line),
        doorbell_(&doorbell),
        // A thread that took more would leave nothing for the others.
        budget_(std::min(limits.budget, std::max<std::size_t>(1, limits.window / 4))),
        head_start_(limits.head_start),
        window_(std::move(window)),
        policy_(line) {
    PENSTOCK_CHECK(line.stations() >= 1 && limits.capacity >= 1 && limits.budget >= 1 &&
                       limits.window == window_->size(),
                   "a line needs a station, room before each of them and a budget");
    for (int station = 0; station < line.stations(); ++station) {
      const auto capacity = station == 0 ? limits.window : limits.capacity;
      ports_.push_back(std::make_unique<Port>(std::min(capacity, limits.window)));
    }
    first_.emplace(producer(0));
  }

  // The next run to fill, or null while `window` runs are under way or wait to be collected.
  [[nodiscard]] Run* try_admit() noexcept {
    Run* const run = window_->try_admit();
    if (run == nullptr) tell_others();
    return run;
  }

  // Puts an admitted run before the first station; for the feeder, in the order of admission. When
  // it calls try_admit() next, for `more`, the others need not be told of every run.
  void load(Run& run, bool more = false) noexcept {
    Run* pointer = &run;
    PENSTOCK_CHECK(first_->try_push(pointer), "the first port has room for every run");
    if (!more || ++untold_ == kUntold) tell();
  }

  // The feeder has something else to do: whoever was not told of a run is told now.
  void tell_others() noexcept {
    if (untold_ != 0) tell();
  }

  // A station with work that nobody is at. Those of the lane are the feeder's.
  [[nodiscard]] Turn try_take(bool feeder = false) noexcept {
    while (const auto station = policy_.take(PortLook<Run, Sync>(ports_), feeder)) {
      // Refused, it is somebody's who looks again when leaving.
      if (auto turn = try_serve(*station, feeder)) return turn;
    }
    return {};
  }

  // Puts up what nobody was told of: a thread that does not come back from a station said nothing
  // of the runs it put down before. For the feeder, when it has waited in vain.
  void look_over() noexcept {
    Sync::fence_seq_cst();
    for (std::size_t station = 0; station < ports_.size(); ++station) put_up(station);
  }

  // Runs the station, and the next ones on what came out of it.
  void carry(Turn turn) noexcept {
    while (turn) {
      const bool goes_on = is_last(turn.station_) ? serve_last(turn) : serve_inner(turn);
      turn.end();
      if (!goes_on) return;
      const std::size_t next = turn.station_ + 1;
      const bool is_feeders = policy_.in_lane_of_feeder(next) && !turn.by_feeder_;
      if (MeasuringPolicy<Policy> || is_feeders) return offer(next);
      // Refused, it is somebody's who looks again when leaving, and sees what was put down.
      turn = try_serve(next, turn.by_feeder_);
    }
  }

  [[nodiscard]] Run* try_collect() noexcept { return window_->try_collect(); }
  [[nodiscard]] bool collectable() const noexcept { return window_->collectable(); }
  [[nodiscard]] std::uint64_t under_way() const noexcept { return window_->under_way(); }

  // To choose it, before anything runs.
  [[nodiscard]] PortLane<Policy>& policy() noexcept { return policy_; }

  // Runs that wait before a station; stale before it returns.
  [[nodiscard]] std::size_t waiting_hint(int station) const noexcept {
    return ports_[static_cast<std::size_t>(station)]->queue.size_hint();
  }

 private:
  [[nodiscard]] bool is_last(std::size_t station) const noexcept {
    return station + 1 == ports_.size();
  }

  [[nodiscard]] Turn try_serve(std::size_t station, bool feeder) noexcept {
    auto consumer = ports_[station]->queue.try_consume();
    if (!consumer) return {};
    ports_[station]->served.store(true, std::memory_order_relaxed);
    policy_.on_begin(station);
    return Turn(*this, station, feeder, *std::move(consumer));
  }

  // The producer of a port is whoever serves the one before it: there is never a second.
  [[nodiscard]] typename Queue::Producer producer(std::size_t station) noexcept {
    auto producer = ports_[station]->queue.try_produce();
    PENSTOCK_CHECK(producer.has_value(), "a port is fed by whoever serves the port before it");
    return *std::move(producer);
  }

  // True when there is something to be done at the next station: runs were put down, or it is full.
  [[nodiscard]] bool serve_inner(Turn& turn) noexcept {
    auto next = producer(turn.station_ + 1);
    const auto waiting = turn.consumer_->front_run(budget_);
    if (waiting.empty()) return false;
    const auto room = next.reserve(waiting.size());
    const std::size_t batch = std::min(waiting.size(), room.size());
    const auto began = Sync::now();
    std::size_t served = 0;
    while (served < batch) {
      Run* const run = Sync::read(waiting[served]);
      if (!work_some(*line_, static_cast<int>(turn.station_), *run)) break;
      Sync::write(room[served++]) = run;
      // Each by itself: the station may never come back from the next one.
      turn.consumer_->release(1);
      next.commit(1);
      if (!doorbell_->somebody_sleeps() || Sync::now() - began < head_start_) continue;
      offer(turn.station_ + 1);
    }
    Sync::fence_seq_cst();
    return served != 0 || batch == 0;
  }

  [[nodiscard]] bool serve_last(Turn& turn) noexcept {
    const auto waiting = turn.consumer_->front_run(budget_);
    typename RunWindow<Run, Sync>::Tally tally(*window_);
    for (const auto& slot : waiting) {
      if (!work_some(*line_, static_cast<int>(turn.station_), *Sync::read(slot))) break;
      // First of all: a run that is through may come back, and needs its place.
      turn.consumer_->release(1);
      tally.complete();
      // Without a fence it may miss a feeder that falls asleep now; the end of the turn does not.
      if (!doorbell_->feeder_sleeps()) continue;
      tally.show();
      doorbell_->ring_feeder();
    }
    tally.show();
    doorbell_->ring_feeder();
    return false;
  }

  // Called once, by the turn's end.
  void stop_serving(Turn& turn) noexcept {
    policy_.on_end(turn.station_, ports_[turn.station_]->queue.taken_hint());
    ports_[turn.station_]->served.store(false, std::memory_order_relaxed);
    turn.consumer_.reset();
    Sync::fence_seq_cst();
    put_up(turn.station_);
    // There may be room now for what waits before the previous station.
    if (turn.station_ > 0) put_up(turn.station_ - 1);
  }

  // Runs were loaded.
  void tell() noexcept {
    untold_ = 0;
    offer(0);
  }

  // A run was put into the port.
  void offer(std::size_t station) noexcept {
    Sync::fence_seq_cst();
    put_up(station);
  }

  // Lets somebody serve the port, unless there is no need.
  void put_up(std::size_t station) noexcept {
    if (!has_work(station) || !policy_.put(station)) return;
    policy_.in_lane_of_feeder(station) ? doorbell_->ring_feeder() : doorbell_->ring_worker();
  }

  [[nodiscard]] bool has_work(std::size_t station) const noexcept {
    return PortLook<Run, Sync>(ports_)(station);
  }

  static constexpr int kUntold = 32;

  Line* line_;
  Doorbell<Sync>* doorbell_;
  const std::size_t budget_;
  const std::chrono::nanoseconds head_start_;
  const std::shared_ptr<RunWindow<Run, Sync>> window_;
  std::vector<std::unique_ptr<Port>> ports_;
  std::optional<typename Queue::Producer> first_;  // the feeder's
  int untold_ = 0;                                 // the feeder's: runs nobody was told of
  PortLane<Policy> policy_;
};

}  // namespace penstock::schedule
