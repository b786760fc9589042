#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "bench/ordered/job.hpp"

namespace penstock::bench::ordered {

// How a contender is to do it. What does not apply to one is ignored by it.
struct Setup {
  int workers = 2;
  std::size_t window = 1024;    // of the reordering scheme
  std::size_t capacity = 1024;  // of the worklist, all partitions together
  std::size_t partitions = 0;   // 0 for the contender's own choice
  std::size_t burst = 64;       // units sent in one hold
};

struct Outcome {
  std::int64_t warm_at = 0;  // when, in nanoseconds of the steady clock
  std::uint64_t warm_tuples = 0;
  std::int64_t blocked_ns = 0;  // in handing over, all workers together; without the sending itself
  std::int64_t worker_ns = 0;   // that the workers had, all together
  std::uint64_t retries = 0;    // because the reordering scheme had no room
};

// One way to run the stage. Made ready with all its memory and threads before the clock starts,
// and used once.
class Contender {
 public:
  Contender() = default;
  Contender(const Contender&) = delete;
  Contender& operator=(const Contender&) = delete;
  Contender(Contender&&) = delete;
  Contender& operator=(Contender&&) = delete;
  virtual ~Contender() = default;

  // Until the outputs of the last tuple have been sent.
  virtual Outcome run() = 0;
};

struct Entry {
  std::string_view name;
  bool stateless;  // can run an operator without keys
  bool keyed;      // can run one with keys
  std::unique_ptr<Contender> (*make)(Job& job, const Setup& setup);
};

// sequential: one thread and nothing else; nonblocking, lock and baton: a shared worklist and that
// reordering scheme; hybrid and partitioned: that keyed queue and the non-blocking scheme.
[[nodiscard]] std::span<const Entry> contenders();

}  // namespace penstock::bench::ordered
