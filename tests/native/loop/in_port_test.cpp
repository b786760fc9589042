#include "penstock/loop/in_port.hpp"

#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "loop/loops.hpp"
#include "support/arrow_reading.hpp"
#include "support/arrow_values.hpp"

namespace penstock {
namespace {

using loop::InPort;
using loops::Ints;
using support::make_int_batch;
using support::read_column;

InPort with(const std::vector<Ints>& batches) {
  InPort port("pairs", "left", loops::ints());
  for (const auto& batch : batches) port.arrive(make_int_batch(batch));
  return port;
}

const void* data_of(const tuple::Batch& batch) { return batch.column(0).array->buffers[1]; }

TEST(InPort, gives_exactly_as_many_rows_as_are_asked_for) {
  InPort port = with({{1, 2, 3}, {4}, {5, 6, 7}});
  EXPECT_EQ(port.rows(), 7);
  EXPECT_EQ(read_column(port.take(2)), (Ints{1, 2}));
  EXPECT_EQ(read_column(port.take(3)), (Ints{3, 4, 5}));
  EXPECT_EQ(port.rows(), 2);
  EXPECT_EQ(read_column(port.take()), (Ints{6, 7}));
  EXPECT_EQ(port.rows(), 0);
}

TEST(InPort, copies_nothing_of_rows_that_came_in_one_batch) {
  InPort port("pairs", "left", loops::ints());
  const auto batch = make_int_batch({1, 2, 3});
  port.arrive(batch);
  EXPECT_EQ(data_of(port.take(2)), data_of(batch));
  EXPECT_EQ(data_of(port.front()), data_of(batch));
  EXPECT_EQ(data_of(port.take_batch()), data_of(batch));
}

TEST(InPort, gives_the_batch_in_front_as_it_came) {
  InPort port = with({{1, 2, 3}, {4}});
  (void)port.take(1);
  EXPECT_EQ(read_column(port.front()), (Ints{2, 3}));
  EXPECT_EQ(port.rows(), 3);
  EXPECT_EQ(read_column(port.take_batch()), (Ints{2, 3}));
  EXPECT_EQ(read_column(port.take_batch()), (Ints{4}));
}

TEST(InPort, no_rows_are_an_empty_batch_with_its_columns) {
  InPort port = with({{1}});
  EXPECT_EQ(port.take(0).rows(), 0);
  EXPECT_EQ(port.take(0).columns(), 1);
  EXPECT_EQ(port.rows(), 1);
  (void)port.take();
  for (const auto& none : {port.take(), port.take(0), port.take_batch(), port.front()}) {
    EXPECT_EQ(none.rows(), 0);
    EXPECT_EQ(none.columns(), 1);
  }
}

TEST(InPort, refuses_to_give_more_than_waits_and_names_port_and_numbers) {
  InPort port = with({{1, 2}});
  for (const std::int64_t rows : {3, -1}) {
    try {
      (void)port.take(rows);
      FAIL() << "took " << rows;
    } catch (const std::out_of_range& error) {
      EXPECT_EQ(error.what(), "loop 'pairs' cannot take " + std::to_string(rows) +
                                  " rows of port 'left', where 2 wait: wait for them first");
    }
  }
  EXPECT_EQ(port.rows(), 2);
}

TEST(InPort, empty_batches_do_not_wait) {
  InPort port = with({{}, {1}, {}, {2}});
  EXPECT_EQ(read_column(port.take_batch()), (Ints{1}));
  EXPECT_EQ(read_column(port.take_batch()), (Ints{2}));
}

TEST(InPort, keeps_the_order_of_many_batches_that_come_and_go) {
  InPort port = with({});
  std::int64_t next = 0;
  Ints taken;
  for (int round = 0; round < 200; ++round) {
    for (int batch = 0; batch < round % 5; ++batch) {
      port.arrive(make_int_batch({next, next + 1, next + 2}));
      next += 3;
    }
    for (const auto value :
         read_column(port.take(std::min<std::int64_t>(round % 7, port.rows())))) {
      taken.push_back(value);
    }
  }
  for (const auto value : read_column(port.take())) taken.push_back(value);
  ASSERT_EQ(std::ssize(taken), next);
  for (std::int64_t at = 0; at < next; ++at) EXPECT_EQ(taken[static_cast<std::size_t>(at)], at);
}

TEST(InPort, joins_nested_columns_too) {
  const support::Type list{.format = "+l", .children = {{.format = "l"}}, .name = "list"};
  const auto row = [](std::int64_t value) {
    return support::nested({support::number(value), support::number(value + 1)});
  };
  InPort port("pairs", "left", support::make_schema({list}));
  port.arrive(support::make_batch({list}, {{row(1), row(2)}}));
  port.arrive(support::make_batch({list}, {{row(3)}}));
  EXPECT_EQ(support::read_batch({list}, port.take(3)),
            (std::vector<support::Values>{{row(1), row(2), row(3)}}));
}

TEST(InPort, holds_no_buffers_of_rows_that_were_taken) {
  const int before = support::live_batches;
  InPort port = with({{1, 2}, {3}, {4}, {5}});
  for (int left = 4; left > 0; --left) {
    EXPECT_EQ(support::live_batches, before + left);
    (void)port.take_batch();
  }
  EXPECT_EQ(support::live_batches, before);
}

}  // namespace
}  // namespace penstock
