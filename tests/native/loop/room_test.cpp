// What a loop may leave at its ports, and what it may wait for.

#include <chrono>
#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "penstock/graph/row_failure.hpp"

#include "loop/loops.hpp"

namespace penstock {
namespace {

using loop::Loop;
using loop::LoopOperator;
using loop::Need;
using loop::Ports;
using loops::as_tuple;
using loops::Emitted;
using loops::failure_of;
using loops::Ints;
using loops::process;
using loops::with_ports;
using support::make_int_batch;
using Wake = LoopOperator::Wake;

Loop wait_for_five(Ports& ports) {
  while (co_await ports.all({0, 5})) {
    tuple::Batch made = make_int_batch(Ints{ports.in(0).take().rows()});
    co_await ports.out().push(std::move(made));
  }
}

constexpr const char* kMoreRoom =
    "give the loop a larger capacity=, or grow=True, or set spark.penstock.loop.capacity higher";

TEST(LoopRoom, waiting_for_more_than_a_port_may_hold_is_refused_unless_it_grows) {
  for (const bool grows : {false, true}) {
    auto options = with_ports({"left"});
    options.room = {.rows = 4, .grows = grows};
    LoopOperator body(std::move(options), wait_for_five);
    Emitted output;
    const auto [row, text] = failure_of([&] {
      process(body, make_int_batch({1, 2, 3}), output);
      process(body, make_int_batch({4, 5, 6}), output);
    });
    EXPECT_EQ(text, grows ? "nothing failed"
                          : "loop 'tested' waits for 5 rows of port 'left', which may hold 4: " +
                                std::string(kMoreRoom));
    EXPECT_EQ(output.values[0], grows ? Ints{5} : Ints{});
  }
}

TEST(LoopRoom, rows_that_pile_up_while_another_port_is_short_are_refused_unless_it_grows) {
  for (const bool grows : {false, true}) {
    auto options = with_ports({"left", "right"});
    options.room = {.rows = 4, .grows = grows};
    LoopOperator body(std::move(options), loops::barrier);
    Emitted output;
    process(body, make_int_batch({1, 2, 3}), output, 0);
    const auto [row, text] = failure_of([&] { process(body, make_int_batch({4, 5}), output, 0); });
    EXPECT_EQ(text, grows
                        ? "nothing failed"
                        : "loop 'tested' has 5 rows waiting at port 'left', which may hold 4, "
                          "while it waits for 1 row of port 'right' (0 there): take them before, " +
                              std::string(kMoreRoom));
    EXPECT_EQ(row, grows ? 0 : 1);
  }
}

TEST(LoopRoom, rows_left_where_they_are_count_too_when_it_waits_for_others) {
  auto options = with_ports({"left", "right"});
  options.room = {.rows = 2};
  options.wake = Wake::kRun;
  LoopOperator body(std::move(options), [](Ports& ports) -> Loop {
    (void)co_await ports.any({0, 1});
    (void)ports.in(0).take(1);
    (void)co_await ports.all({1, 1});
  });
  Emitted output;
  const auto said = failure_of([&] { process(body, make_int_batch({1, 2, 3, 4}), output); });
  EXPECT_NE(said.second.find("has 3 rows waiting at port 'left'"), std::string::npos)
      << said.second;
}

TEST(LoopRoom, a_tuple_of_more_rows_than_a_port_may_hold_is_no_matter_if_they_are_taken) {
  for (const Wake wake : {Wake::kRow, Wake::kRun}) {
    auto options = with_ports({"left"});
    options.room = {.rows = 2};
    options.wake = wake;
    LoopOperator body(std::move(options), [](Ports& ports) -> Loop {
      while (co_await ports.all({0, 2})) {
        tuple::Batch made = ports.in(0).take(2);
        co_await ports.out().push(std::move(made));
      }
    });
    Emitted output;
    process(body, make_int_batch({1, 2, 3, 4, 5}), output);
    EXPECT_EQ(output.values[0], (Ints{1, 2, 3, 4}));
  }
}

TEST(LoopRoom, waits_that_make_no_sense_are_refused) {
  const auto said = [](Need need) {
    auto options = with_ports({"left"});
    options.controls.push_back({"ranks", loops::ints(), {}});
    LoopOperator body(std::move(options),
                      [need](Ports& ports) -> Loop { (void)co_await ports.any(need); });
    Emitted output;
    return failure_of([&] { process(body, make_int_batch({1}), output); }).second;
  };
  EXPECT_EQ(said({0, -1}), "loop 'tested' waits for -1 rows of port 'left': 0 is the least");
  EXPECT_EQ(said({1, 1}),
            "loop 'tested' waits for port 1, a control port: what comes there wakes nobody, wait "
            "for another");
  EXPECT_EQ(said({2, 1}), "loop 'tested' waits for port 2, but it has the ports 0 to 0");
}

TEST(LoopRoom, what_comes_to_a_control_port_waits_there_and_wakes_nobody) {
  auto options = with_ports({"left"});
  options.controls.push_back({"ranks", loops::ints(), {}});
  options.room = {.rows = 2};
  LoopOperator body(std::move(options), [](Ports& ports) -> Loop {
    while (co_await ports.all({0, 1})) {
      (void)ports.in(0).take();
      tuple::Batch made = ports.in(1).take();
      co_await ports.out().push(std::move(made));
    }
  });
  EXPECT_EQ(body.inputs(), 2);
  EXPECT_EQ(body.controls(), 1);
  Emitted output;
  body.control(as_tuple(make_int_batch({7, 8})), 1);
  EXPECT_EQ(output.emissions, 0);
  process(body, make_int_batch({1}), output);
  EXPECT_EQ(output.values[0], (Ints{7, 8}));
  const auto said = failure_of([&] { body.control(as_tuple(make_int_batch({1, 2, 3})), 1); });
  EXPECT_EQ(said.second,
            "loop 'tested' has 3 rows waiting at control port 'ranks', which may hold 2, and does "
            "not take them: take them before, " +
                std::string(kMoreRoom));
}

}  // namespace
}  // namespace penstock
