#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "penstock/schedule/line.hpp"

#include "bench/policies/topology.hpp"
#include "bench/workload/kernel.hpp"
#include "bench/workload/steady.hpp"

namespace penstock::bench::policies {

// A tuple on its way through a real line: which operators it meets was drawn before it started.
struct WayRun : schedule::Run {
  Item item;
  std::vector<bool> meets;  // by station
};

// A topology as Penstock's schedulers see it: every run passes every station, and only those on the
// way of its tuple work on it. What the sink gets depends on the order at each of them.
class WayLine {
 public:
  using Run = WayRun;

  // `flops(cost_ns)` of the kernel take so long. The first node, the source, is the feeder's.
  template <typename Flops>
  WayLine(const Topology& topology, Flops flops) {
    for (std::size_t i = 1; i < topology.nodes.size(); ++i) {
      stations_.push_back({.kernel = {.cost = flops(topology.nodes[i].cost_ns)}});
    }
  }

  [[nodiscard]] int stations() const noexcept { return static_cast<int>(stations_.size()) + 1; }
  [[nodiscard]] bool serial(int /*station*/) const noexcept { return true; }

  void work(int station, Run& run) noexcept {
    const auto index = static_cast<std::size_t>(station);
    if (index == stations_.size()) {
      leave(run);
    } else if (run.meets[index]) {
      stations_[index].kernel.work(run.item);
    }
  }

  [[nodiscard]] std::uint64_t checksum() const noexcept { return checksum_; }
  [[nodiscard]] std::uint64_t left() const noexcept { return left_; }
  [[nodiscard]] std::uint64_t out_of_order() const noexcept { return out_of_order_; }
  // Nanoseconds of every tuple from its source to the sink.
  [[nodiscard]] std::vector<std::int64_t>& latencies() noexcept { return latencies_; }

 private:
  struct alignas(64) Station {
    Kernel kernel;
  };

  void leave(const Run& run) noexcept {
    if (run.item.serial != left_) ++out_of_order_;
    ++left_;
    checksum_ = std::rotl(checksum_, 1) + run.item.value;
    latencies_.push_back(steady_ns() - run.item.handed_over);
  }

  std::vector<Station> stations_;
  std::uint64_t checksum_ = 0;
  std::uint64_t left_ = 0;
  std::uint64_t out_of_order_ = 0;
  std::vector<std::int64_t> latencies_;
};

static_assert(schedule::RunnableLine<WayLine>);

}  // namespace penstock::bench::policies
