#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/ordered/keys.hpp"
#include "bench/workload/item.hpp"
#include "bench/workload/kernel.hpp"
#include "bench/workload/sink.hpp"

namespace penstock::bench::ordered {

// One ordered stage, and what goes through it.
struct Task {
  std::uint64_t tuples = 1;
  std::uint64_t warm = 0;  // so many of them before the clock starts
  int cost = 1;            // floating point operations for each tuple
  int send_cost = 0;       // and for each output, by whoever sends it
  int selectivity = 1;     // outputs of each tuple; all of them are one unit
  KeyChoice keys;
  bool timed = true;  // latency, and time lost in handing over: some clock reads for each tuple
};

// The same for every contender: tuples, the operator with its state, and where its output goes.
class Job {
 public:
  explicit Job(const Task& task);

  [[nodiscard]] const Task& task() const noexcept { return task_; }

  [[nodiscard]] std::uint32_t key_of(std::uint64_t serial) const noexcept {
    return keys_[serial % keys_.size()];
  }
  [[nodiscard]] static Item tuple(std::uint64_t serial) noexcept;

  // The operator. Compiled apart from whoever calls it. For a key, one thread at a time.
  void work(Item& item) noexcept;

  // Sends the outputs of a tuple that was worked on. For one thread at a time.
  void send(const Item& item) noexcept;

  [[nodiscard]] Sink& sink() noexcept { return sink_; }
  [[nodiscard]] std::vector<std::int64_t>& latencies() noexcept { return latencies_; }
  [[nodiscard]] std::uint64_t outputs() const noexcept {
    return task_.tuples * static_cast<std::uint64_t>(task_.selectivity);
  }

 private:
  // On a cache line of its own: neighbouring keys are often worked on by different threads.
  struct alignas(64) State {
    Kernel kernel;
  };

  const Task task_;
  const std::vector<std::uint32_t> keys_;  // of the tuples, over and over
  std::vector<State> states_;              // of the keys
  Kernel sending_;
  Sink sink_;
  std::vector<std::int64_t> latencies_;
};

// What the sink must have seen in the end, computed by one thread in the order of the tuples.
[[nodiscard]] std::uint64_t expected_checksum(const Task& task);

}  // namespace penstock::bench::ordered
