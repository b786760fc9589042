#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "penstock/schedule/line.hpp"

#include "explorer/scenario.hpp"

namespace penstock::explorer {

// A line that notices every disorder: "sls" is a serial station, a stateless one and a serial one,
// and "SL" are such stations in the lane.
// What a run carries and what a serial station remembers are plain fields, so handing them over
// without an order between the threads is reported as a race.
template <typename Sync>
class SimLine {
 public:
  struct Run : schedule::Run {
    typename Sync::template Plain<int> passed{0};
  };

  explicit SimLine(std::string_view kinds)
      : kinds_(kinds), next_(std::make_unique<Remembered[]>(kinds.size())) {}

  [[nodiscard]] int stations() const noexcept { return static_cast<int>(kinds_.size()); }
  [[nodiscard]] bool serial(int station) const noexcept {
    return kind(station) == 's' || kind(station) == 'S';
  }
  [[nodiscard]] bool in_lane(int station) const noexcept {
    return kind(station) == 'S' || kind(station) == 'L';
  }
  void work(int station, Run& run) noexcept {
    expect(Sync::write(run.passed)++ == station, "a run visits the stations one after another");
    if (in_lane(station)) ++Sync::write(worked_in_lane_);
    if (!serial(station)) return;
    auto& next = Sync::write(next_[static_cast<std::size_t>(station)]);
    expect(next++ == run.serial, "runs pass a serial station in order");
  }

 private:
  using Remembered = typename Sync::template Plain<std::uint64_t>;

  [[nodiscard]] char kind(int station) const noexcept {
    return kinds_[static_cast<std::size_t>(station)];
  }

  std::string_view kinds_;
  std::unique_ptr<Remembered[]> next_;
  Remembered worked_in_lane_{0};  // two at a time there would be a race
};

// Puts `runs` runs through a scheduler and takes them out, as the processing element does. `wait`
// is called when there is nothing to do but wait.
template <typename Sync, typename Scheduler, typename Wait>
void feed(Scheduler& scheduler, int stations, std::uint64_t runs, Wait wait) {
  std::uint64_t admitted = 0;
  for (std::uint64_t collected = 0; collected < runs;) {
    if (auto* const run = scheduler.try_collect()) {
      expect(run->serial == collected++, "runs are collected in order");
      expect(Sync::read(run->passed) == stations, "a run that is collected has been everywhere");
    } else if (auto* const empty = admitted < runs ? scheduler.try_admit() : nullptr) {
      ++admitted;
      Sync::write(empty->passed) = 0;
      scheduler.load(*empty);
    } else {
      wait();
    }
  }
  expect(scheduler.under_way() == 0, "nothing is left");
}

}  // namespace penstock::explorer
