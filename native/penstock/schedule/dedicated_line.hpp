#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "penstock/base/check.hpp"
#include "penstock/base/event_count.hpp"
#include "penstock/base/sync.hpp"
#include "penstock/base/thread.hpp"
#include "penstock/queue/port_queue.hpp"
#include "penstock/schedule/crew.hpp"
#include "penstock/schedule/line.hpp"
#include "penstock/schedule/run_window.hpp"
#include "penstock/schedule/worker_meter.hpp"

namespace penstock::schedule {

// The `dedicated` threading model (S1): a thread for each station, which sleeps while nothing
// waits there or the next port is full. The last station is the feeder's: collecting is running
// it. Each port has one producer and one consumer for ever, so no role changes hands.
//
// Each thread sleeps on an event count of its own, rung by its two neighbours: by the one before
// it for a run, by the one after it for room. Having nothing else to do, it waits for the lane.
template <RunnableLine Line, base::SyncPolicy Sync = base::RealSync>
class DedicatedLine {
 public:
  using Run = typename Line::Run;

 private:
  using Queue = queue::PortQueue<Run*, Sync>;

  struct Station {
    explicit Station(std::size_t capacity) : queue(capacity) {}

    Queue queue;
    base::EventCount<Sync> bell;
    typename Sync::template Atomic<bool> busy{false};  // its thread is at work, or looks for some
  };

 public:
  // The place of the one who runs a station, held for as long as it does.
  class Seat {
   public:
    Seat(DedicatedLine& line, int station)
        : station_(static_cast<std::size_t>(station)),
          consumer_(line.stations_[station_]->queue.try_consume()),
          next_(line.is_last(station_) ? std::optional<typename Queue::Producer>()
                                       : line.stations_[station_ + 1]->queue.try_produce()) {
      PENSTOCK_CHECK(consumer_.has_value(), "a station is run by one thread only");
    }
    Seat(const Seat&) = delete;
    Seat& operator=(const Seat&) = delete;
    Seat(Seat&&) = delete;
    Seat& operator=(Seat&&) = delete;
    ~Seat() = default;

   private:
    friend DedicatedLine;

    std::size_t station_;
    std::optional<typename Queue::Consumer> consumer_;
    std::optional<typename Queue::Producer> next_;  // none behind the last station
  };

  struct Limits {
    std::size_t window = 1;    // runs under way
    std::size_t capacity = 1;  // of each port but the first, which has room for the window
  };

  DedicatedLine(Line& line, Limits limits) : line_(&line), window_(limits.window) {
    PENSTOCK_CHECK(line.stations() >= 1 && limits.capacity >= 1,
                   "a line needs a station and room before each of them");
    for (int station = 0; station < line.stations(); ++station) {
      const auto capacity = station == 0 ? limits.window : limits.capacity;
      stations_.push_back(std::make_unique<Station>(std::min(capacity, limits.window)));
    }
    first_ = stations_.front()->queue.try_produce();
    last_.emplace(*this, line.stations() - 1);
  }
  DedicatedLine(const DedicatedLine&) = delete;
  DedicatedLine& operator=(const DedicatedLine&) = delete;
  DedicatedLine(DedicatedLine&&) = delete;
  DedicatedLine& operator=(DedicatedLine&&) = delete;
  ~DedicatedLine() { stop(); }

  // Starts the threads. Many of them are started while the first runs follow: a thousand take
  // tens of milliseconds. What keeps them from starting is thrown here or by sleep().
  void start(const std::string& name, const ThreadHooks& hooks = {}) {
    feeder_meter_ = hooks.meter(0);
    threads_.reserve(stations_.size());
    if (stations_.size() <= kStartedAtOnce) {
      start_all(name, hooks);
      return;
    }
    starter_ = typename Sync::Thread(base::ThreadOptions{.name = name + "-starter"},
                                     [this, name, hooks] { start_or_tell(name, hooks); });
  }

  // Asks every thread to leave after the run it is at, and does not wait for it.
  void dismiss() noexcept {
    stopping_.store(true, std::memory_order_relaxed);
    for (auto& station : stations_) station->bell.notify_all();
  }

  // Every thread finishes the run it is at. Nothing moves afterwards.
  void stop() noexcept {
    dismiss();
    starter_.join();
    threads_.clear();
  }

  // Threads that are inside an operator.
  [[nodiscard]] int at_work() const noexcept {
    int at_work = 0;
    for (const auto& station : stations_) {
      if (station->busy.load(std::memory_order_relaxed)) ++at_work;
    }
    return at_work;
  }

  [[nodiscard]] Run* try_admit() noexcept { return window_.try_admit(); }

  // Puts an admitted run before the first station; for the feeder, in the order of admission.
  void load(Run& run) noexcept {
    Run* pointer = &run;
    PENSTOCK_CHECK(first_->try_push(pointer), "the first port has room for every run");
    stations_.front()->bell.notify_one();
  }

  // The oldest run that is through; the feeder's until the next call of try_admit().
  [[nodiscard]] Run* try_collect() noexcept {
    return try_step(*last_) ? window_.try_collect() : nullptr;
  }

  [[nodiscard]] std::uint64_t under_way() const noexcept { return window_.under_way(); }

  // Runs that wait before a station; stale before it returns.
  [[nodiscard]] std::size_t waiting_hint(int station) const noexcept {
    return stations_[static_cast<std::size_t>(station)]->queue.size_hint();
  }

  // For the feeder: until there may be something to collect, or for `limit`.
  void sleep(std::optional<std::chrono::nanoseconds> limit = {}) {
    if (cannot_start_.load(std::memory_order_acquire)) std::rethrow_exception(problem_);
    const Resting<Sync> asleep(feeder_meter_, Rest::kAsleep);
    sleep(*last_, limit);
  }

  // Runs the station on one run; false when none waits or the next port is full.
  bool try_step(Seat& seat) noexcept {
    const auto waiting = seat.consumer_->front_run(1);
    if (waiting.empty() || !has_room_behind(seat)) return false;
    Run* run = Sync::read(waiting.front());
    work(static_cast<int>(seat.station_), *run);
    seat.consumer_->release(1);
    if (seat.station_ > 0) tell_of_room(seat.station_);
    if (seat.next_) {
      PENSTOCK_CHECK(seat.next_->try_push(run), "room that was seen cannot go away");
      stations_[seat.station_ + 1]->bell.notify_one();
    } else {
      window_.complete();
    }
    return true;
  }

 private:
  static constexpr std::size_t kStartedAtOnce = 64;

  void work(int station, Run& run) noexcept {
    if (in_lane(*line_, station)) {
      const std::scoped_lock lane(lane_);
      line_->work(station, run);
    } else {
      line_->work(station, run);
    }
  }

  void start_all(const std::string& name, const ThreadHooks& hooks) {
    for (int station = 0; station + 1 < line_->stations(); ++station) {
      if (stopping_.load(std::memory_order_relaxed)) return;
      threads_.emplace_back(base::ThreadOptions{.name = name + "-" + std::to_string(station)},
                            [this, station, hooks] { run(station, hooks); });
    }
  }

  void start_or_tell(const std::string& name, const ThreadHooks& hooks) noexcept {
    try {
      start_all(name, hooks);
    } catch (...) {
      problem_ = std::current_exception();
      cannot_start_.store(true, std::memory_order_release);
      stations_.back()->bell.notify_all();
    }
  }

  void run(int station, const ThreadHooks& hooks) {
    if (hooks.on_start) hooks.on_start(station + 1);
    auto* const meter = hooks.meter(station + 1);
    if (meter != nullptr) meter->start(Sync::now());
    Seat seat(*this, station);
    auto& busy = stations_[seat.station_]->busy;
    while (!stopping_.load(std::memory_order_relaxed)) {
      busy.store(true, std::memory_order_relaxed);
      const bool stepped = try_step(seat);
      busy.store(false, std::memory_order_relaxed);
      if (!stepped) {
        const Resting<Sync> asleep(meter, Rest::kAsleep);
        sleep(seat);
      } else if (meter != nullptr) {
        meter->carried();
      }
    }
    if (meter != nullptr) meter->finish(Sync::now());
    if (hooks.on_finish) hooks.on_finish();
  }

  [[nodiscard]] bool is_last(std::size_t station) const noexcept {
    return station + 1 == stations_.size();
  }

  // One run was taken out of the port: whoever fills it sleeps for room only if there was none.
  void tell_of_room(std::size_t station) noexcept {
    // Pairs with going to sleep: who sleeps saw the room, or what it put in last is seen here.
    Sync::fence_seq_cst();
    const Queue& queue = stations_[station]->queue;
    if (queue.size_hint() + 1 >= queue.capacity()) stations_[station - 1]->bell.notify_one();
  }

  [[nodiscard]] static bool has_room_behind(Seat& seat) noexcept {
    return !seat.next_ || !seat.next_->reserve(1).empty();
  }

  void sleep(Seat& seat, std::optional<std::chrono::nanoseconds> limit = {}) {
    auto& bell = stations_[seat.station_]->bell;
    const auto key = bell.prepare_wait();
    const bool can_step = !seat.consumer_->front_run(1).empty() && has_room_behind(seat);
    if (can_step || stopping_.load(std::memory_order_relaxed)) {
      bell.cancel_wait();
    } else {
      (limit ? bell.wait_for(key, *limit) : bell.wait(key)).accept();
    }
  }

  Line* line_;
  RunWindow<Run, Sync> window_;
  std::vector<std::unique_ptr<Station>> stations_;
  std::optional<typename Queue::Producer> first_;  // the feeder's
  std::optional<Seat> last_;                       // the feeder's
  WorkerMeter<>* feeder_meter_ = nullptr;          // the feeder's
  typename Sync::Mutex lane_;
  typename Sync::template Atomic<bool> stopping_{false};
  typename Sync::template Atomic<bool> cannot_start_{false};
  std::exception_ptr problem_;  // written before cannot_start_ is set
  std::vector<typename Sync::Thread> threads_;
  typename Sync::Thread starter_;  // the only one to touch threads_ until it has ended
};

}  // namespace penstock::schedule
