#pragma once

#include <cstdint>

#include "explorer/scenario.hpp"
#include "explorer/scenarios/sim_line.hpp"

namespace penstock::explorer {

// The first station pauses once in each run. What it knows of the run it is at stands in plain
// fields, as in a coroutine's frame.
template <typename Sync>
class PausingLine : public SimLine<Sync> {
 public:
  using typename SimLine<Sync>::Run;
  using SimLine<Sync>::SimLine;

  [[nodiscard]] bool work_some(int station, Run& run) noexcept {
    if (station == 0) {
      if (!Sync::read(paused_)) {
        Sync::write(at_) = run.serial;
        Sync::write(paused_) = true;
        return false;
      }
      expect(Sync::read(at_) == run.serial, "the run that paused is the one that goes on");
      Sync::write(paused_) = false;
    }
    this->work(station, run);
    return true;
  }

 private:
  typename Sync::template Plain<bool> paused_{false};
  typename Sync::template Plain<std::uint64_t> at_{0};
};

}  // namespace penstock::explorer
