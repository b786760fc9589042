#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <utility>
#include <vector>

#include "penstock/base/check.hpp"
#include "penstock/base/sync.hpp"
#include "penstock/schedule/line.hpp"
#include "penstock/schedule/station_costs.hpp"

namespace penstock::schedule {

// A line whose neighbouring stations are taken together: the stations of this line are stops, and
// a stop works through its stations without a queue or a baton between them. Where the stops are
// is the placement of queues; it changes speed only, because every run still visits every station
// in the same order.
//
// A stop is serial, or in the lane, as soon as one of its stations is.
template <RunnableLine Line, base::SyncPolicy Sync = base::RealSync>
class FusedLine {
 public:
  using Run = typename Line::Run;

  // Each station is a stop of its own, but for those bound to the one before them.
  explicit FusedLine(Line& line) : line_(&line), costs_(line.stations()) {
    std::vector<int> firsts;
    for (int station = 0; station < line.stations(); ++station) {
      if (!bound(station)) firsts.push_back(station);
    }
    arrange(std::move(firsts));
  }

  // Puts a stop before each of these stations, which begin with 0 and rise. Only while no run is
  // under way; whoever carries the next run must have got it from the caller.
  void arrange(std::vector<int> firsts) {
    PENSTOCK_CHECK(!firsts.empty() && firsts.front() == 0, "the first stop begins the line");
    std::vector<Stop> stops;
    for (std::size_t i = 0; i < firsts.size(); ++i) {
      const bool last = i + 1 == firsts.size();
      Stop stop{.first = firsts[i], .end = last ? line_->stations() : firsts[i + 1]};
      PENSTOCK_CHECK(stop.first < stop.end && !bound(stop.first),
                     "stops rise, and none divides stations that are bound together");
      for (int station = stop.first; station < stop.end; ++station) {
        stop.serial = stop.serial || line_->serial(station);
        stop.in_lane = stop.in_lane || schedule::in_lane(*line_, station);
      }
      stops.push_back(stop);
    }
    Sync::write(stops_) = std::move(stops);
  }

  [[nodiscard]] int stations() const noexcept { return static_cast<int>(stops().size()); }
  [[nodiscard]] bool serial(int stop) const noexcept { return at(stop).serial; }
  [[nodiscard]] bool in_lane(int stop) const noexcept { return at(stop).in_lane; }

  void work(int stop, Run& run) noexcept {
    const int first = at(stop).first;
    const int end = at(stop).end;
    if (StationCosts<Sync>::samples(run.serial)) {
      work_timed(first, end, run);
      return;
    }
    for (int station = first; station < end; ++station) line_->work(station, run);
  }

  // As far as it goes at once; the run knows at which station it goes on.
  [[nodiscard]] bool work_some(int stop, Run& run) noexcept {
    if constexpr (requires { line_->work_some(stop, run); }) {
      return work_stations(at(stop), run);
    } else {
      work(stop, run);
      return true;
    }
  }

  // The stop that begins with a station; -1 when none does.
  [[nodiscard]] int stop_at(int station) const noexcept {
    const auto found = std::ranges::lower_bound(stops(), station, {}, &Stop::first);
    if (found == stops().end() || found->first != station) return -1;
    return static_cast<int>(found - stops().begin());
  }

  // Every station in turn, on the calling thread.
  void work_through(Run& run) noexcept {
    for (int stop = 0; stop < stations(); ++stop) work(stop, run);
  }

  // The stations beneath.
  [[nodiscard]] Line& line() noexcept { return *line_; }
  [[nodiscard]] const StationCosts<Sync>& costs() const noexcept { return costs_; }
  // A line may say that a station must share a stop with the one before it.
  [[nodiscard]] bool bound(int station) const noexcept {
    if constexpr (requires { line_->bound(station); }) return line_->bound(station);
    return false;
  }

 private:
  struct Stop {
    int first = 0;
    int end = 0;
    bool serial = false;
    bool in_lane = false;
  };

  [[nodiscard]] const std::vector<Stop>& stops() const noexcept { return Sync::read(stops_); }
  [[nodiscard]] const Stop& at(int stop) const noexcept {
    return stops()[static_cast<std::size_t>(stop)];
  }

  void work_timed(int first, int end, Run& run) noexcept {
    auto before = Sync::now();
    for (int station = first; station < end; ++station) {
      line_->work(station, run);
      const auto after = Sync::now();
      note(station, after - before, run);
      before = after;
    }
  }

  // A run may want to know how long it takes altogether.
  void note(int station, std::chrono::nanoseconds time, Run& run) noexcept {
    costs_.add(station, time);
    if constexpr (requires { run.worked += time; }) run.worked += time;
  }

  [[nodiscard]] bool work_stations(const Stop& stop, Run& run) noexcept {
    const bool timed = StationCosts<Sync>::samples(run.serial);
    const int paused_at = std::exchange(run.paused_at, -1);
    for (int station = std::max(paused_at, stop.first); station < stop.end; ++station) {
      const auto before = timed ? Sync::now() : std::chrono::nanoseconds();
      const bool done = line_->work_some(station, run);
      if (timed) note(station, Sync::now() - before, run);
      if (done) continue;
      run.paused_at = station;
      return false;
    }
    return true;
  }

  Line* line_;
  StationCosts<Sync> costs_;
  typename Sync::template Plain<std::vector<Stop>> stops_;
};

}  // namespace penstock::schedule
