#include "penstock/loop/loop_operator.hpp"

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
using loops::tagged;
using loops::with_ports;
using support::make_int_batch;
using Wake = LoopOperator::Wake;

// Says how many rows it found at each port whenever its wait is done, and takes them.
tuple::Batch rows_taken(Ports& ports) {
  Ints rows;
  for (int port = 0; port < ports.inputs(); ++port) rows.push_back(ports.in(port).take().rows());
  return make_int_batch(rows);
}
Loop tell_all(Ports& ports, std::vector<Need> needs) {
  while (co_await ports.all(needs)) {
    tuple::Batch made = rows_taken(ports);
    co_await ports.out().push(std::move(made));
  }
}
Loop tell_any(Ports& ports, std::vector<Need> needs) {
  while (co_await ports.any(needs)) {
    tuple::Batch made = rows_taken(ports);
    co_await ports.out().push(std::move(made));
  }
}

LoopOperator::Body telling(std::vector<Need> needs, bool all = true) {
  return [=](Ports& ports) { return all ? tell_all(ports, needs) : tell_any(ports, needs); };
}

TEST(LoopOperator, wakes_at_the_very_row_that_makes_its_wait_come_true) {
  auto options = with_ports({"left", "right"});
  options.tagged_input = true;
  LoopOperator body(std::move(options), telling({{0, 2}, {1, 1}}));
  Emitted output;
  process(body, tagged({{0, 1}, {0, 2}, {0, 3}, {1, 4}, {1, 5}, {0, 6}, {0, 7}, {0, 8}}), output);
  EXPECT_EQ(output.values[0], (Ints{3, 1, 2, 1}));
  process(body, tagged({{0, 9}}), output);
  EXPECT_EQ(output.values[0], (Ints{3, 1, 2, 1}));
  process(body, tagged({{1, 9}}), output);
  EXPECT_EQ(output.values[0], (Ints{3, 1, 2, 1, 2, 1}));
}

TEST(LoopOperator, how_the_input_was_cut_does_not_matter_to_what_wakes_it) {
  const std::vector<loops::Row> rows{{0, 1}, {0, 2}, {1, 3}, {1, 4}, {1, 5}, {0, 6}, {1, 7}};
  std::vector<Ints> results;
  for (const std::size_t cut : {1U, 2U, 3U, 7U}) {
    auto options = with_ports({"left", "right"});
    options.tagged_input = true;
    LoopOperator body(std::move(options), telling({{0, 2}, {1, 3}}, false));
    Emitted output;
    for (std::size_t at = 0; at < rows.size(); at += cut) {
      const auto end = std::min(at + cut, rows.size());
      process(body, tagged({rows.begin() + std::ptrdiff_t(at), rows.begin() + std::ptrdiff_t(end)}),
              output);
    }
    results.push_back(output.values[0]);
    EXPECT_EQ(results.back(), (Ints{2, 0, 0, 3})) << "cut into " << cut;
  }
}

TEST(LoopOperator, can_be_woken_by_whole_runs_of_rows_instead) {
  auto options = with_ports({"left", "right"});
  options.tagged_input = true;
  options.wake = Wake::kRun;
  LoopOperator body(std::move(options), telling({{0, 2}, {1, 1}}));
  Emitted output;
  process(body, tagged({{0, 1}, {0, 2}, {0, 3}, {1, 4}, {1, 5}}), output);
  EXPECT_EQ(output.values[0], (Ints{3, 2}));
}

TEST(LoopOperator, takes_real_ports_and_leaves_what_is_not_taken) {
  LoopOperator body(with_ports({"left", "right"}), loops::barrier);
  EXPECT_EQ(body.inputs(), 2);
  Emitted output;
  process(body, make_int_batch({1, 2, 3}), output, 0);
  EXPECT_EQ(output.emissions, 0);
  process(body, make_int_batch({4, 5}), output, 1);
  EXPECT_EQ(output.values[0], (Ints{1, 2}));
  EXPECT_EQ(support::read_column(output.last, 1), (Ints{5}));  // row by row
  process(body, make_int_batch({6}), output, 1);
  EXPECT_EQ(output.values[0], (Ints{1, 2, 3}));
}

TEST(LoopOperator, a_tag_that_names_no_port_is_refused_with_its_row) {
  auto options = with_ports({"left", "right"});
  options.tagged_input = true;
  LoopOperator body(std::move(options), loops::barrier);
  Emitted output;
  const auto [row, text] =
      failure_of([&] { process(body, tagged({{0, 1}, {1, 2}, {2, 3}}), output); });
  EXPECT_EQ(row, 2);
  EXPECT_EQ(text,
            "loop 'tested' got a row for port 2 in the first column, but its ports are 0 to 1");
  EXPECT_EQ(output.values[0], (Ints{1}));  // the rows before are good
}

TEST(LoopOperator, a_tag_that_is_null_is_refused_with_its_row_whatever_stands_under_it) {
  for (const int under : {0, 1}) {
    auto options = with_ports({"left", "right"});
    options.tagged_input = true;
    LoopOperator body(std::move(options), loops::barrier);
    Emitted output;
    const auto [row, text] = failure_of(
        [&] { process(body, tagged({{0, 1}, {1, 2}, {1, 3}, {under, 4}, {0, 5}}, 3), output); });
    EXPECT_EQ(row, 3);
    EXPECT_EQ(
        text,
        "loop 'tested' got a row for port null in the first column, but its ports are 0 to 1");
    EXPECT_EQ(output.values[0], (Ints{1}));
  }
}

TEST(LoopOperator, several_outputs_leave_by_their_ports_or_by_one_with_a_tag) {
  for (const bool tag : {false, true}) {
    auto options = with_ports({"data", "to"});
    options.outputs = 2;
    options.tagged_output = tag;
    LoopOperator body(std::move(options), loops::switch_over);
    EXPECT_EQ(body.outputs(), tag ? 1 : 2);
    if (tag) {
      struct Tagged final : graph::Output {
        void emit(tuple::Batch batch, int port) override {
          EXPECT_EQ(port, 0);
          const auto column = batch.column(0);
          tags.push_back(static_cast<const std::int8_t*>(column.array->buffers[1])[column.offset]);
          const std::vector<int> rest{1};
          values.push_back(support::read_column(batch.select(rest)).front());
        }
        void punctuate(int /*port*/) override {}
        [[nodiscard]] int ports() const override { return 1; }
        Ints tags;
        Ints values;
      } output;
      body.process(as_tuple(make_int_batch({7, 8, 9})), 0, output);
      body.process(as_tuple(make_int_batch({1, 0, 1})), 1, output);
      EXPECT_EQ(output.tags, (Ints{1, 0, 1}));
      EXPECT_EQ(output.values, (Ints{7, 8, 9}));
    } else {
      Emitted output(2);
      process(body, make_int_batch({7, 8, 9}), output, 0);
      process(body, make_int_batch({1, 0, 1}), output, 1);
      EXPECT_EQ(output.values, (std::vector<Ints>{{8}, {7, 9}}));
    }
  }
}

TEST(LoopOperator, at_the_end_a_wait_is_over_and_what_is_left_can_be_taken) {
  LoopOperator body(with_ports({"left", "right"}), loops::merge);
  Emitted output;
  process(body, make_int_batch({1, 4, 6}), output, 0);
  process(body, make_int_batch({2, 3}), output, 1);
  EXPECT_EQ(output.values[0], (Ints{1, 2, 3}));
  body.finish(output);
  EXPECT_EQ(output.values[0], (Ints{1, 2, 3, 4, 6}));
  EXPECT_FALSE(body.completed());
}

TEST(LoopOperator, without_any_row_the_end_alone_makes_it_begin) {
  LoopOperator body(with_ports({"left"}), [](Ports& ports) -> Loop {
    if (co_await ports.all({0, 1})) co_return;
    tuple::Batch made = make_int_batch({1});
    co_await ports.out().push(std::move(made));
  });
  Emitted output;
  body.finish(output);
  EXPECT_EQ(output.values[0], (Ints{1}));
}

TEST(LoopOperator, one_that_ends_early_is_completed_and_drops_what_still_comes) {
  LoopOperator body(with_ports({"left"}), [](Ports& ports) -> Loop {
    (void)co_await ports.all({0, 2});
    co_await ports.out().push(ports.in(0).take(2));
  });
  Emitted output;
  process(body, make_int_batch({1}), output);
  EXPECT_FALSE(body.completed());
  process(body, make_int_batch({2, 3}), output);
  EXPECT_TRUE(body.completed());
  process(body, make_int_batch({4, 5}), output);
  body.control(as_tuple(make_int_batch({4})), 0);
  body.finish(output);
  EXPECT_EQ(output.values[0], (Ints{1, 2}));
  EXPECT_TRUE(body.completed());
}

TEST(LoopOperator, one_that_only_waits_again_when_it_is_over_is_stopped) {
  LoopOperator body(with_ports({"left"}), [](Ports& ports) -> Loop {
    for (;;) {
      (void)co_await ports.all({0, 1});
    }
  });
  Emitted output;
  const auto [row, text] = failure_of([&] { body.finish(output); });
  EXPECT_EQ(row, graph::FailedAtRow::kUnknownRow);
  EXPECT_EQ(text,
            "loop 'tested' was told 1000 times that its wait is over, and does nothing but wait "
            "again: end the loop when a wait is over");
}

TEST(LoopOperator, being_told_often_that_it_is_over_is_fine_for_one_that_goes_on_working) {
  LoopOperator body(with_ports({"left"}), [](Ports& ports) -> Loop {
    for (int turn = 0; turn < 3 * Ports::kMostOvers; ++turn) {
      EXPECT_FALSE(co_await ports.all({0, 1}));
      tuple::Batch made = make_int_batch({turn});
      co_await ports.out().push(std::move(made));
    }
  });
  Emitted output;
  body.finish(output);
  EXPECT_EQ(output.emissions, 3 * Ports::kMostOvers);
}

TEST(LoopOperator, marks_pass_on_to_every_output) {
  auto options = with_ports({"left"});
  options.outputs = 2;
  LoopOperator body(std::move(options), telling({{0, 1}}));
  Emitted output(2);
  body.punctuate(0, output);
  EXPECT_EQ(output.values, (std::vector<Ints>{{Emitted::kMark}, {Emitted::kMark}}));
}

}  // namespace
}  // namespace penstock
