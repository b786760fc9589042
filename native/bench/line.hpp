#pragma once

#include <cstddef>
#include <vector>

#include "penstock/schedule/line.hpp"

#include "bench/workload/tuple_run.hpp"
#include "bench/workload/workload.hpp"

namespace penstock::bench {

// A workload as Penstock's schedulers see it: its operators, all of them serial, and the sink. An
// operator takes all tuples of a run before the next one begins, as the operators of a flow do.
template <int kMost>
class Line {
 public:
  using Run = TupleRun<kMost>;

  Line(Workload& workload, int run_length)
      : workload_(&workload),
        run_length_(run_length),
        width_(workload.task.shape.width),
        interface_(workload.task.interface) {
    const Shape& shape = workload.task.shape;
    for (std::size_t i = 0; i < workload.operators.size(); ++i) {
      stations_.push_back(
          {.op = workload.operators[i].get(), .channel = static_cast<int>(i) / shape.depth});
    }
  }

  [[nodiscard]] int stations() const noexcept { return static_cast<int>(stations_.size()) + 1; }
  [[nodiscard]] bool serial(int /*station*/) const noexcept { return true; }

  void work(int station, Run& run) noexcept {
    const auto index = static_cast<std::size_t>(station);
    if (index == 0) run.write(*workload_);
    if (index == stations_.size()) {
      for (int i = 0; i < run.count; ++i) {
        workload_->sink.take(run.items[static_cast<std::size_t>(i)]);
      }
      return;
    }
    const Station& here = stations_[index];
    if constexpr (kMost == 1) {
      // What a tuple alone costs is counted in nanoseconds: no loop, no division.
      if (here.channel == run.phase) run_operator(*here.op, interface_, run.items[0]);
    } else {
      const Items own = run.of(here.channel, width_);
      if (!own.empty()) run_operator(*here.op, interface_, own);
    }
  }

  void work_through(Run& run) noexcept {
    for (int station = 0; station < stations(); ++station) work(station, run);
  }

  // Takes tuples from the source; the first station writes them down.
  void claim(Run& run) noexcept { run.claim(*workload_, run_length_); }

  [[nodiscard]] Source& source() noexcept { return workload_->source; }

 private:
  struct Station {
    Operator* op;
    int channel;
  };

  Workload* workload_;
  const int run_length_;
  const int width_;
  const Interface interface_;
  std::vector<Station> stations_;
};

static_assert(schedule::RunnableLine<Line<1>>);

}  // namespace penstock::bench
