#pragma once

#include <cstdint>
#include <optional>

#include "bench/ordered/contenders.hpp"
#include "bench/percentiles.hpp"

namespace penstock::bench::ordered {

// What a contender made of a task.
struct Measured {
  std::uint64_t tuples = 0;  // whose outputs were sent once it was warm
  double seconds = 0;
  double cpu_seconds = 0;      // of all threads together, from the start
  double blocked_seconds = 0;  // in handing over, from the start; 0 unless timed
  double blocked_share = 0;    // of the time that the workers had
  std::uint64_t retries = 0;
  std::uint64_t outputs = 0;  // that the sink got
  std::uint64_t lost = 0;
  std::uint64_t duplicated = 0;
  std::uint64_t out_of_order = 0;
  std::uint64_t checksum = 0;
  std::uint64_t expected_checksum = 0;
  std::optional<Percentiles> latency_us;  // from the operator's start to the sink (P3)

  // The output is that of one thread that works on tuple after tuple.
  [[nodiscard]] bool correct() const noexcept {
    return lost + duplicated + out_of_order == 0 && checksum == expected_checksum;
  }
};

[[nodiscard]] Measured measure(const Entry& entry, const Task& task, const Setup& setup);

}  // namespace penstock::bench::ordered
