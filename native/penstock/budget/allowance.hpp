#pragma once

#include <cstdint>

namespace penstock::budget {

// What a PE wants to know of, and says to, whoever shares out the cores of an executor. One thread
// at a time, the feeder; nothing here waits for anybody.
class Allowance {
 public:
  struct Demand {
    int wanted = 1;         // threads it could use as far as it knows
    int most = 1;           // threads it could ever use
    std::int64_t rows = 0;  // that came through so far
  };
  struct Standing {
    int share = 1;     // threads it may have, as it and the others want them
    int possible = 1;  // threads it might have if it wanted the most
    int tasks = 1;     // that share the cores
    int cores = 1;
  };

  Allowance() = default;
  Allowance(const Allowance&) = delete;
  Allowance& operator=(const Allowance&) = delete;
  Allowance(Allowance&&) = delete;
  Allowance& operator=(Allowance&&) = delete;
  virtual ~Allowance() = default;

  // Threads it may use in any case.
  [[nodiscard]] virtual int guaranteed() const = 0;
  // Says what is wanted, and what may be had.
  [[nodiscard]] virtual Standing look(const Demand& demand) = 0;
  // Before more threads are used: how many may be, up to `threads` and not fewer than before.
  [[nodiscard]] virtual int raise(int threads) = 0;
  // After threads have gone: no more than these are used.
  virtual void lower(int threads) = 0;
  // So many are used whatever others have: a model that cannot do with fewer.
  virtual void insist(int threads) = 0;
  // After all threads have gone. From any thread, any number of times.
  virtual void leave() noexcept = 0;
};

}  // namespace penstock::budget
