#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "penstock/budget/allowance.hpp"
#include "penstock/engine/levers.hpp"

namespace penstock::engine {

// Keeps the threads of a PE within what the others of its executor leave it. It looks a few times
// in each period of the control loop. What is too much is given up at once; what became free is
// taken when it is still free at the next look, because between two tasks of Spark a core is free
// for a moment only.
//
// What is in use is written down before threads come and after they have gone, so that the sum of
// what all have written down is never less than what all use. The feeder's, like the control loop.
class BudgetLoop {
 public:
  using Nanoseconds = std::chrono::nanoseconds;
  static constexpr int kLooksPerPeriod = 4;

  // Threads from now on: at most so many, or, where the number is not chosen, exactly so many.
  struct Change {
    int threads = 1;
    bool more = false;
    bool at_once = true;  // of more: whether they are to be used without further thought
    std::string why;
  };
  // How the PE stands.
  struct Use {
    bool settled = false;   // on the number of threads it has, though it might have more
    std::int64_t rows = 0;  // that came through so far
  };

  // At most `most` threads; with `elastic` somebody chooses among as many as there may be.
  BudgetLoop(budget::Allowance& allowance, int most, bool elastic);

  // How many threads to begin with.
  [[nodiscard]] int begin();

  // To be called often: writes down that threads have gone.
  void note_gone(const Levers& levers);
  // To be called a few times in each period.
  [[nodiscard]] std::optional<Change> look(const Levers& levers, const Use& use);
  // Before threads are added: how many there may be, up to so many.
  [[nodiscard]] int ask(int threads);

  // Not more than so many, whatever is free.
  void set_most(int most);
  [[nodiscard]] int limit() const noexcept { return limit_; }
  // Such as "3 tasks share 2 cores".
  [[nodiscard]] std::string why() const;

 private:
  [[nodiscard]] std::optional<Change> take_more(int possible, int threads);

  budget::Allowance* allowance_;
  int most_;
  bool elastic_;
  int limit_;  // what the PE may choose from
  int held_;   // what is written down
  bool more_was_free_ = false;
  budget::Allowance::Standing standing_;
};

}  // namespace penstock::engine
