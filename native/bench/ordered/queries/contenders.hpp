#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "bench/ordered/queries/query.hpp"
#include "bench/ordered/queries/results.hpp"

namespace penstock::bench::queries {

struct Setup {
  std::size_t workers = 2;
  std::size_t window = 1024;    // of each station's reordering scheme
  std::size_t capacity = 1024;  // of each station's worklist, all partitions together
  int cost = 0;                 // floating point operations that each operator does for each row
};

// One way to run a query. Made ready with all its memory before the clock starts, and used once.
class Runner {
 public:
  Runner() = default;
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;
  Runner(Runner&&) = delete;
  Runner& operator=(Runner&&) = delete;
  virtual ~Runner() = default;

  // Until everything has arrived.
  virtual void run() = 0;
};

struct Entry {
  std::string_view name;
  std::unique_ptr<Runner> (*make)(const Query& query, const Input& input, const Setup& setup,
                                  Results& results);
};

// sequential: one thread that carries row after row through the operators; hybrid: hybrid queues
// before keyed operators, and the non-blocking scheme; partitioned: partitioned queues instead;
// lock: hybrid queues, and the lock-based scheme.
[[nodiscard]] std::span<const Entry> contenders();

}  // namespace penstock::bench::queries
