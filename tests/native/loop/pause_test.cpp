// Interruptions of a loop: quanta, failures, and being destroyed in the middle.

#include <chrono>
#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <utility>

#include "penstock/graph/row_failure.hpp"

#include "loop/loops.hpp"

namespace penstock {
namespace {

using loop::Loop;
using loop::LoopOperator;
using loop::Ports;
using loops::as_tuple;
using loops::Emitted;
using loops::Ints;
using loops::process;
using loops::with_ports;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using support::make_int_batch;

Loop pass_on(Ports& ports) {
  while (co_await ports.all({0, 1})) {
    tuple::Batch made = ports.in(0).take(1);
    co_await ports.out().push(std::move(made));
  }
}

TEST(LoopPause, comes_at_a_push_or_wait_once_the_quantum_is_used_up) {
  nanoseconds now{};
  auto options = with_ports({"left"});
  options.quantum.clock = [&now] { return now; };
  LoopOperator body(std::move(options), [&now](Ports& ports) -> Loop {
    while (co_await ports.all({0, 1})) {
      tuple::Batch row = ports.in(0).take(1);
      now += milliseconds(20);
      co_await ports.out().push(std::move(row));
    }
  });
  Emitted output;
  body.process(as_tuple(make_int_batch({1, 2, 3, 4})), 0, output);
  EXPECT_TRUE(body.paused());  // after 60 of 50 ms
  EXPECT_EQ(output.values[0], (Ints{1, 2, 3}));
  Emitted later;
  body.resume(later);
  EXPECT_FALSE(body.paused());
  EXPECT_EQ(output.values[0], (Ints{1, 2, 3}));
  EXPECT_EQ(later.values[0], (Ints{4}));
}

TEST(LoopPause, makes_no_difference_to_what_comes_out) {
  auto options = with_ports({"left"});
  options.quantum.length = nanoseconds(0);
  LoopOperator body(std::move(options), pass_on);
  Emitted output;
  EXPECT_GE(process(body, make_int_batch({1, 2, 3}), output), 3);
  body.finish(output);
  EXPECT_FALSE(body.paused());
  EXPECT_EQ(output.values[0], (Ints{1, 2, 3}));
}

TEST(LoopPause, comes_at_the_next_chance_when_the_flow_is_to_end_and_the_loop_can_ask) {
  std::stop_source source;
  auto options = with_ports({"left"});
  options.stop = source.get_token();
  LoopOperator body(std::move(options), [](Ports& ports) -> Loop {
    while (!ports.stop_requested()) {
      if (!co_await ports.all({0, 1})) co_return;
      co_await ports.out().push(ports.in(0).take(1));
    }
  });
  Emitted output;
  EXPECT_EQ(process(body, make_int_batch({1, 2}), output), 0);
  source.request_stop();
  body.process(as_tuple(make_int_batch({3, 4})), 0, output);
  EXPECT_TRUE(body.paused());
  body.resume(output);
  EXPECT_TRUE(body.completed());
  EXPECT_EQ(output.values[0], (Ints{1, 2, 3}));
}

TEST(LoopPause, a_failure_names_the_row_that_made_the_loop_go_on_also_after_a_pause) {
  for (const bool pauses : {false, true}) {
    auto options = with_ports({"left"});
    if (pauses) options.quantum.length = nanoseconds(0);
    LoopOperator body(std::move(options), [](Ports& ports) -> Loop {
      while (co_await ports.all({0, 2})) {
        auto rows = ports.in(0).take(2);
        if (support::read_column(rows).back() == 4) throw std::runtime_error("met 4");
        co_await ports.out().push(std::move(rows));
      }
    });
    Emitted output;
    try {
      process(body, make_int_batch({1, 2, 3, 4, 5}), output);
      FAIL();
    } catch (const graph::FailedAtRow& failed) {
      EXPECT_EQ(failed.row(), 3);
      EXPECT_THROW(std::rethrow_exception(failed.cause()), std::runtime_error);
    }
    EXPECT_EQ(output.values[0], (Ints{1, 2}));
    EXPECT_FALSE(body.completed());
    EXPECT_FALSE(body.paused());
  }
}

TEST(LoopPause, being_told_to_stop_leaves_as_it_is) {
  LoopOperator body(with_ports({"left"}), [](Ports& ports) -> Loop {
    (void)co_await ports.all({0, 1});
    throw graph::Interrupted(std::make_exception_ptr(std::runtime_error("stop")));
  });
  Emitted output;
  EXPECT_THROW(process(body, make_int_batch({1}), output), graph::Interrupted);
}

struct Guard {
  explicit Guard(int& count) : gone(&count) {}
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  ~Guard() { ++*gone; }
  int* gone;
};

TEST(LoopPause, what_a_suspended_loop_holds_goes_when_the_operator_does) {
  const int before = support::live_batches;
  int gone = 0;
  {
    LoopOperator body(with_ports({"left", "right"}), [&gone](Ports& ports) -> Loop {
      const Guard guard(gone);
      const tuple::Batch kept = ports.in(0).take();
      (void)co_await ports.all({0, 1});
      const tuple::Batch more = ports.in(0).take(1);
      (void)co_await ports.all({1, 1});
    });
    Emitted output;
    process(body, make_int_batch({1, 2}), output);
    EXPECT_EQ(gone, 0);
    EXPECT_EQ(support::live_batches, before + 1);
  }
  EXPECT_EQ(gone, 1);
  EXPECT_EQ(support::live_batches, before);
}

}  // namespace
}  // namespace penstock
