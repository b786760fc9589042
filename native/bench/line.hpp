#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "penstock/schedule/line.hpp"

#include "bench/workload/tuple_run.hpp"
#include "bench/workload/workload.hpp"

namespace penstock::bench {

// A workload as Penstock's schedulers see it: its operators, all of them serial, and the sink.
template <int kMost>
class Line {
 public:
  using Run = TupleRun<kMost>;

  Line(Workload& workload, int run_length)
      : workload_(&workload),
        run_length_(run_length),
        width_(workload.task.shape.width),
        interface_(workload.task.interface),
        cheap_(interface_ == Interface::kTuple && workload.task.cost < kCheap) {
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

  // Cheap operators that take tuple by tuple are run a few at a time on each pair of tuples: one
  // alone would wait for what it has just remembered, a tuple alone for what the operator before
  // has just written, and all operators together would not stay in the cache. The sink, which would
  // wait likewise, goes with the last ones. Expensive ones have no time to wait: one after another,
  // neighbouring tuples overlap.
  void work_between(int first, int end, Run& run) noexcept {
    const int operators = std::min(end, static_cast<int>(stations_.size()));
    int station = first;
    if (kMost > 1 && width_ == 1 && cheap_) {
      if (first == 0 && operators > 1) run.write(*workload_);
      for (; station + 1 < operators; station += kTogether) {
        const int behind = std::min(station + kTogether, operators);
        if (behind < end && behind == operators) {
          work_together(station, behind, run,
                        [this](const Item& item) { workload_->sink.take(item); });
          return;
        }
        work_together(station, behind, run, [](const Item& /*item*/) {});
      }
      station = std::min(station, operators);
    }
    for (; station < end; ++station) work(station, run);
  }

  void work_through(Run& run) noexcept { work_between(0, stations(), run); }

  // Takes tuples from the source; the first station writes them down.
  void claim(Run& run) noexcept { run.claim(*workload_, run_length_); }

  [[nodiscard]] Source& source() noexcept { return workload_->source; }

 private:
  static constexpr int kTogether = 10;
  static constexpr int kCheap = 16;

  template <typename Take>
  void work_together(int first, int end, Run& run, Take take) noexcept {
    const Station* const begin = &stations_[static_cast<std::size_t>(first)];
    const Station* const behind = begin + (end - first);
    Item* const last = run.items.data() + run.count;
    Item* item = run.items.data();
    for (; last - item >= 2; item += 2) {
      for (const Station* at = begin; at != behind; ++at) {
        Operator& op = *at->op;
        static_cast<void>(op.process(item[0], Emit({item, 1, 1})));
        static_cast<void>(op.process(item[1], Emit({item + 1, 1, 1})));
      }
      take(item[0]);
      take(item[1]);
    }
    if (item == last) return;
    for (const Station* at = begin; at != behind; ++at) {
      static_cast<void>(at->op->process(*item, Emit({item, 1, 1})));
    }
    take(*item);
  }

  struct Station {
    Operator* op;
    int channel;
  };

  Workload* workload_;
  const int run_length_;
  const int width_;
  const Interface interface_;
  const bool cheap_;
  std::vector<Station> stations_;
};

static_assert(schedule::RunnableLine<Line<1>>);

}  // namespace penstock::bench
