#pragma once

#include <cstddef>
#include <cstdint>

#include "explorer/scenario.hpp"

namespace penstock::explorer {

// The feeder of a region: admits tuples, has other wishes for the width every now and then, sends
// pulses and holds rows back as the migration says.
template <typename Sync, typename Protocol, typename Region>
class SimFeeder {
 public:
  explicit SimFeeder(Region& region) : region_(&region), migration_(1 + below(3)) {}

  // Returns when all is through, or at any moment if `cancels`. `wait` is called when there is
  // nothing to do but wait, `admitted` with the number of runs.
  template <typename Scheduler, typename Wait, typename Admitted>
  void feed(Scheduler& scheduler, bool cancels, Wait wait, Admitted admitted) {
    for (wish(); !done(scheduler) && !(cancels && below(12) == 0); wish()) {
      if (auto* const run = scheduler.try_collect()) {
        collect(*run);
      } else if (auto* const empty = has_something() ? scheduler.try_admit() : nullptr) {
        fill(Sync::write(empty->load));
        scheduler.load(*empty);
        admitted(++admitted_);
      } else {
        wait();
      }
    }
    if (!cancels) region_->expect_all_there(expected_, migration_.width());
  }

 private:
  static constexpr int kTuples = 5;
  static constexpr int kWishes = 3;
  using Load = typename Region::Load;

  [[nodiscard]] static int below(std::uint64_t bound) {
    return static_cast<int>(Sync::random() % bound);
  }

  template <typename Scheduler>
  [[nodiscard]] bool done(Scheduler& scheduler) const {
    return tuples_ >= kTuples && migration_.settled() && scheduler.under_way() == 0;
  }

  // Before anything else is looked at: a wish that is taken back leaves nothing to wait for.
  void wish() {
    if (wishes_ == kWishes || below(2) != 0) return;
    ++wishes_;
    migration_.ask_for(1 + below(3));
  }

  [[nodiscard]] bool has_something() {
    return migration_.is_due() || (tuples_ < kTuples && migration_.admits_rows());
  }

  void fill(Load& load) {
    load = {.pulse = migration_.next_pulse(), .width = migration_.width()};
    if (load.pulse) return;
    ++tuples_;
    for (auto& row : load.rows) {
      row.key = static_cast<std::size_t>(below(Region::kKeys));
      row.expected = expected_[row.key]++;
    }
  }

  void collect(typename Region::Run& run) {
    const Load& load = Sync::read(run.load);
    expect(run.serial == collected_++, "runs are collected in order");
    expect(load.passed == region_->stations(), "a run that is collected has been everywhere");
    if (load.pulse) {
      migration_.came_through();
      return;
    }
    for (const auto& row : load.rows) {
      expect(row.met == row.expected, "a row meets what one thread would have met");
    }
  }

  Region* region_;
  Protocol migration_;
  typename Region::Counts expected_{};
  int tuples_ = 0;
  int wishes_ = 0;
  int admitted_ = 0;
  std::uint64_t collected_ = 0;
};

}  // namespace penstock::explorer
