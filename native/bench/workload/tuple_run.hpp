#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "penstock/schedule/line.hpp"

#include "bench/workload/workload.hpp"

namespace penstock::bench {

// Consecutive tuples that are moved together, with room for kMost of them inside, so that moving
// them is moving an address. A run of one tuple is two cache lines.
template <int kMost>
struct TupleRun : schedule::Run {
  int count = 0;
  int phase = 0;  // which pipeline the first one belongs to
  Claim claimed;
  std::array<Item, static_cast<std::size_t>(kMost)> items;

  // Takes up to `most` tuples from the source; write() is to follow.
  void claim(Workload& workload, int most) noexcept {
    phase = static_cast<int>(workload.source.sent() %
                             static_cast<std::uint64_t>(workload.task.shape.width));
    claimed = workload.source.claim(most);
    count = claimed.count;
  }
  void write(const Workload& workload) noexcept { workload.source.write(claimed, items.data()); }

  // Those that belong to a pipeline: found by their place, not by looking at them.
  [[nodiscard]] Items of(int channel, int width) noexcept {
    if (width == 1)
      return {items.data(), count, 1};  // without a division, which a tuple would feel
    const int first = channel >= phase ? channel - phase : channel - phase + width;
    const int left = count - first;
    // Wide shapes ask a thousand times for one run: a division each would be felt.
    const int own = left <= 0 ? 0 : left <= width ? 1 : (left - 1) / width + 1;
    return {items.data() + first, own, width};
  }
};

// The operator on one item, in whichever way the task says.
inline void run_operator(Operator& op, Interface interface, Item& item) noexcept {
  const Items alone(&item, 1, 1);
  if (interface == Interface::kBatch) {
    op.process_batch(alone);
    return;
  }
  static_cast<void>(op.process(item, Emit(alone)));
}

// The operator on those items, in whichever way the task says. Compiled once, for whoever carries
// them: where in memory this loop of a few instructions begins makes up to a quarter of its speed.
void run_operator(Operator& op, Interface interface, Items items) noexcept;

}  // namespace penstock::bench
