#include "bench/policies/leaving.hpp"

#include <numeric>

namespace penstock::bench::policies {

Leaving::Leaving(const Topology& topology, std::int64_t run_ns)
    : one_order_(topology.one_order), from_(run_ns / 5), to_(4 * run_ns / 5) {
  const auto visits = topology.visits();
  for (std::size_t i = 0; i < visits.size(); ++i) {
    if (topology.nodes[i].outputs.empty()) expected_ += visits[i];
  }
}

void Leaving::take(const SimTuple& tuple, int place, std::int64_t now) {
  ++left_;
  auto& last = last_[one_order_ ? std::pair(0, 0) : std::pair(place, tuple.way)];
  if (tuple.serial + 1 < last) ++out_of_order_;
  last = tuple.serial + 1;
  if (now >= from_ && now < to_) latencies_.push_back(now - tuple.entered);
}

Simulated Leaving::result() {
  Simulated found{.left = left_, .out_of_order = out_of_order_};
  const auto count = static_cast<double>(latencies_.size());
  found.throughput = count / expected_ / (1e-9 * static_cast<double>(to_ - from_));
  if (!latencies_.empty()) {
    const double sum = std::accumulate(latencies_.begin(), latencies_.end(), 0.0);
    found.mean_latency_us = 1e-3 * sum / count;
  }
  found.latency_us = percentiles_us(latencies_);
  return found;
}

}  // namespace penstock::bench::policies
