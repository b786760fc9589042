#include "penstock/ops/throttle.hpp"

#include <gtest/gtest.h>
#include <limits>
#include <stdexcept>

#include "ops/keeping.hpp"

namespace penstock {
namespace {

using ops::Throttle;
using support::Type;
using support::wholes;
using namespace std::chrono_literals;

const std::vector<Type> kTypes{{.format = "l", .name = "n"}};

// A clock that goes on only while somebody waits, in steps.
struct Clock {
  Throttle::Time now = 0ns;
  int waits = 0;

  Throttle::Waiting waiting() {
    return {.now = [this] { return now; },
            .until =
                [this](Throttle::Time then) {
                  ++waits;
                  now = std::min(then, now + 50ms);
                }};
  }
};

std::size_t give(Throttle& throttle, std::size_t rows) {
  support::KeptColumn output(kTypes, 0);
  throttle.process(support::tuple_of(kTypes, {wholes(std::vector<std::int64_t>(rows))}), 0, output);
  return output.values.size();
}

TEST(Throttle, a_tuple_leaves_when_the_last_of_its_rows_may) {
  Clock clock;
  Throttle throttle(10, clock.waiting());
  EXPECT_EQ(give(throttle, 1), 1U);
  EXPECT_EQ(clock.now, 0ms) << "the first row waits for nobody";
  EXPECT_EQ(give(throttle, 3), 3U);
  EXPECT_EQ(clock.now, 300ms);
  EXPECT_EQ(clock.waits, 6) << "it looks up while it waits";
  give(throttle, 1);
  EXPECT_EQ(clock.now, 400ms);
}

TEST(Throttle, a_pause_gives_no_right_to_a_burst) {
  Clock clock;
  Throttle throttle(10, clock.waiting());
  give(throttle, 1);
  clock.now = 10s;
  give(throttle, 2);
  EXPECT_EQ(clock.now, 10s + 100ms);
}

TEST(Throttle, who_waits_can_be_told_to_stop) {
  Throttle throttle(0.001, {.now = [] { return Throttle::Time(0); },
                            .until = [](Throttle::Time) { throw std::runtime_error("stop"); }});
  give(throttle, 1);
  EXPECT_THROW(give(throttle, 1), std::runtime_error);
}

TEST(Throttle, a_rate_that_is_none_is_refused) {
  Clock clock;
  for (const double rate : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(Throttle(rate, clock.waiting()), std::invalid_argument);
  }
}

}  // namespace
}  // namespace penstock
