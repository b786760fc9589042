#include <gtest/gtest.h>
#include <stop_token>
#include <utility>
#include <vector>

#include "penstock/loop/loop_operator.hpp"

#include "loop/loops.hpp"

namespace penstock {
namespace {

using loop::Loop;
using loop::LoopOperator;
using loop::Ports;
using loops::Emitted;
using loops::Ints;
using loops::process;
using loops::tagged;
using loops::with_ports;

LoopOperator::Options two_ports() {
  auto options = with_ports({"left", "right"});
  options.tagged_input = true;
  return options;
}

// Pairs rows for as long as it can, and then says how many are left of each port.
Loop pair_and_count(Ports& ports) {
  while (co_await ports.all({0, 1}, {1, 1})) {
    (void)ports.in(0).take(1);
    co_await ports.out().push(ports.in(1).take(1));
  }
  tuple::Batch left = support::make_int_batch({ports.in(0).rows(), ports.in(1).rows()});
  co_await ports.out().push(std::move(left));
}

TEST(LoopClosing, a_row_with_the_tag_of_no_port_closes_one_at_its_place_and_no_other) {
  const std::vector<loops::Row> rows{{0, 1}, {1, 10}, {1, 20}, {~0, 0}, {1, 30}, {1, 40}};
  for (const std::size_t cut : {1U, 2U, 4U, 6U}) {
    LoopOperator body(two_ports(), pair_and_count);
    Emitted output;
    for (std::size_t at = 0; at < rows.size(); at += cut) {
      const auto end = std::min(at + cut, rows.size());
      process(body, tagged({rows.begin() + std::ptrdiff_t(at), rows.begin() + std::ptrdiff_t(end)}),
              output);
    }
    EXPECT_EQ(output.values[0], (Ints{10, 0, 1})) << "cut by " << cut;
    EXPECT_TRUE(body.completed());
  }
}

TEST(LoopClosing, what_a_closed_port_holds_still_makes_a_wait_true) {
  LoopOperator body(two_ports(), pair_and_count);
  Emitted output;
  process(body, tagged({{0, 1}, {0, 2}, {~0, 0}, {1, 10}}), output);
  EXPECT_EQ(output.values[0], (Ints{10}));
  EXPECT_FALSE(body.completed());
  process(body, tagged({{1, 20}, {1, 30}}), output);
  EXPECT_EQ(output.values[0], (Ints{10, 20, 0, 0}));
  EXPECT_EQ(body.completed_at(), 0) << "the third is nobody's any more";
}

TEST(LoopClosing, any_is_over_when_the_last_port_is_closed) {
  LoopOperator body(two_ports(), [](Ports& ports) -> Loop {
    while (co_await ports.any({0, 1}, {1, 1})) {
      co_await ports.out().push(ports.in(ports.in(0).rows() > 0 ? 0 : 1).take(1));
    }
  });
  Emitted output;
  process(body, tagged({{1, 10}, {~1, 0}, {0, 1}, {0, 2}}), output);
  EXPECT_FALSE(body.completed());
  process(body, tagged({{0, 3}, {~0, 0}}), output);
  EXPECT_EQ(output.values[0], (Ints{10, 1, 2, 3}));
  EXPECT_TRUE(body.completed());
}

TEST(LoopClosing, in_a_branch_a_loop_tells_from_which_row_each_row_came) {
  struct Traced final : graph::Output {
    void emit(tuple::Batch /*batch*/, int /*port*/) override { ++untold; }
    void emit_rows(tuple::Batch /*batch*/, std::span<const std::int32_t> rows,
                   int /*port*/) override {
      from.insert(from.end(), rows.begin(), rows.end());
    }
    void punctuate(int /*port*/) override {}
    [[nodiscard]] int ports() const override { return 1; }
    int untold = 0;
    std::vector<std::int32_t> from;
  } output;
  auto options = two_ports();
  options.tells_rows = true;
  LoopOperator body(std::move(options), loops::barrier);
  body.process(loops::as_tuple(tagged({{0, 1}, {0, 2}, {1, 10}, {0, 3}, {1, 20}})), 0, output);
  EXPECT_EQ(output.from, (std::vector<std::int32_t>{2, 4}));
  EXPECT_EQ(output.untold, 0);
}

TEST(LoopClosing, a_loop_can_ask_whether_it_was_stopped) {
  std::stop_source stop;
  auto options = with_ports({"left"});
  options.stop = stop.get_token();
  int turns = 0;
  LoopOperator body(std::move(options), [&](Ports& ports) -> Loop {
    (void)co_await ports.all({0, 1});
    while (!ports.stop_requested()) {
      if (++turns == 3) stop.request_stop();
    }
  });
  Emitted output;
  process(body, support::make_int_batch({1}), output);
  EXPECT_EQ(turns, 3);
}

}  // namespace
}  // namespace penstock
