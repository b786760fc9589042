#include "penstock/ops/busy_work.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <stdexcept>
#include <utility>

#include "ops/channels.hpp"

namespace penstock {
namespace {

using ops::BusyWork;
using support::null_value;
using support::number;
using support::Type;
using support::Values;

const Type kNumbers{.format = "l"};

Values busy(BusyWork& work, tuple::Batch batch) {
  const auto rows = batch.rows();
  support::Collected output;
  work.process({.batch = std::move(batch), .origin = {.count = rows}}, 0, output);
  return support::read_batch({kNumbers, kNumbers}, output.made)[1];
}

support::Value worked(std::int64_t value, std::int64_t rounds) {
  return number(
      static_cast<std::int64_t>(BusyWork::work(static_cast<std::uint64_t>(value), rounds)));
}

TEST(BusyWork, adds_what_depends_on_the_row_alone) {
  const Values given{number(std::int64_t{-1}), number(std::int64_t{5}), null_value(),
                     number(std::int64_t{5})};
  BusyWork work(0, 3);
  EXPECT_EQ(busy(work, support::make_batch({kNumbers}, {given}).slice(1, 3)),
            (Values{worked(5, 3), worked(0, 3), worked(5, 3)}));
  BusyWork idle(0, 0);
  EXPECT_EQ(busy(idle, support::make_batch({kNumbers}, {{number(std::int64_t{-1})}})),
            (Values{number(std::int64_t{-1})}));
}

TEST(BusyWork, a_round_is_a_multiplication_by_the_same_factor) {
  EXPECT_EQ(BusyWork::work(0, 1), 1U);
  EXPECT_EQ(BusyWork::work(1, 1), 6364136223846793006U);
  EXPECT_EQ(BusyWork::work(7, 5), BusyWork::work(BusyWork::work(7, 2), 3));
}

TEST(BusyWork, refuses_what_it_cannot_work_on) {
  EXPECT_THROW(BusyWork(-1, 1), std::invalid_argument);
  EXPECT_THROW(BusyWork(0, -1), std::invalid_argument);
  BusyWork beyond(1, 1);
  EXPECT_THROW(busy(beyond, support::make_batch({kNumbers}, {{null_value()}})), std::out_of_range);
}

}  // namespace
}  // namespace penstock
