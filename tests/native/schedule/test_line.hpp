#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "penstock/schedule/line.hpp"

namespace penstock::support {

// A line that writes down what happened: "sls" is a serial station, a stateless one and a serial
// one, and "SL" are such stations in the lane. Only serial stations remember, so several threads
// may use it if the scheduler is right.
class TestLine {
 public:
  struct Run : schedule::Run {
    std::vector<int> visited;
  };

  explicit TestLine(std::string kinds) : kinds_(std::move(kinds)), passed_(kinds_.size()) {}

  [[nodiscard]] int stations() const noexcept { return static_cast<int>(kinds_.size()); }
  [[nodiscard]] bool serial(int station) const noexcept {
    return kind(station) == 's' || kind(station) == 'S';
  }
  [[nodiscard]] bool in_lane(int station) const noexcept {
    return kind(station) == 'S' || kind(station) == 'L';
  }
  void work(int station, Run& run) noexcept {
    if (in_lane(station)) ++worked_in_lane_;
    run.visited.push_back(station);
    if (serial(station)) passed_[static_cast<std::size_t>(station)].push_back(run.serial);
  }

  // The serial numbers that passed a serial station, in order.
  [[nodiscard]] const std::vector<std::uint64_t>& passed(int station) const {
    return passed_[static_cast<std::size_t>(station)];
  }
  // How often somebody worked at a station of the lane; two at a time would be a race.
  [[nodiscard]] std::uint64_t worked_in_lane() const noexcept { return worked_in_lane_; }
  [[nodiscard]] std::vector<int> all_stations() const {
    std::vector<int> all;
    for (int station = 0; station < stations(); ++station) all.push_back(station);
    return all;
  }

 private:
  [[nodiscard]] char kind(int station) const noexcept {
    return kinds_[static_cast<std::size_t>(station)];
  }

  std::string kinds_;
  std::vector<std::vector<std::uint64_t>> passed_;
  std::uint64_t worked_in_lane_ = 0;
};

using Serials = std::vector<std::uint64_t>;

// Admits a run and puts it before the first station.
template <typename Scheduler>
typename Scheduler::Run& load_one(Scheduler& scheduler) {
  auto* const run = scheduler.try_admit();
  run->visited.clear();
  scheduler.load(*run);
  return *run;
}

// What can be collected now.
template <typename Scheduler>
Serials collect_all(Scheduler& scheduler) {
  Serials collected;
  while (auto* const run = scheduler.try_collect()) collected.push_back(run->serial);
  return collected;
}

// Takes and carries one piece of work; false when there is none.
template <typename Scheduler>
bool step(Scheduler& scheduler) {
  auto work = scheduler.try_take();
  if (!work) return false;
  scheduler.carry(std::move(work));
  return true;
}

}  // namespace penstock::support
