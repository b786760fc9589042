#pragma once

#include <cstdint>
#include <optional>

#include "bench/contender.hpp"
#include "bench/percentiles.hpp"
#include "bench/workload/workload.hpp"

namespace penstock::bench {

// What a contender made of a workload.
struct Measured {
  std::uint64_t tuples = 0;  // that reached the sink once it was warm
  double seconds = 0;
  double cpu_seconds = 0;  // of all threads together
  std::uint64_t context_switches = 0;
  std::uint64_t lost = 0;
  std::uint64_t duplicated = 0;
  std::uint64_t out_of_order = 0;
  std::uint64_t checksum = 0;
  std::optional<Percentiles> latency_us;  // from the hand-over to the sink; of paced sources
  std::optional<Percentiles> delay_us;    // by which the source was late itself
};

[[nodiscard]] Measured measure(const ContenderEntry& entry, const Task& task, const Setup& setup);

}  // namespace penstock::bench
