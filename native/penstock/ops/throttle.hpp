#pragma once

#include <chrono>
#include <functional>

#include "penstock/graph/operator.hpp"

namespace penstock::ops {

// Lets so many rows pass in a second, and no more of them later because few came before.
class Throttle final : public graph::Operator {
 public:
  using Time = std::chrono::nanoseconds;  // since some moment

  struct Waiting {
    std::function<Time()> now;
    // Returns then or earlier, so that whoever waits can be told to stop: by what this throws.
    std::function<void(Time)> until;
  };

  // Throws std::invalid_argument unless the rate is above zero.
  Throttle(double rows_per_second, Waiting waiting);

  void process(const tuple::Tuple& tuple, int port, graph::Output& output) override;

 private:
  Time per_row_;
  Waiting waiting_;
  Time next_ = Time::min();  // when the next row may leave
};

}  // namespace penstock::ops
