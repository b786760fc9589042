#include "penstock/engine/worker_log.hpp"

#include <cstdint>
#include <gtest/gtest.h>

namespace penstock {
namespace {

using engine::WorkerLog;

TEST(WorkerLog, counts_by_operator) {
  WorkerLog log(2, false);
  for (int i = 0; i < 100; ++i) log.counts(1).count(2, 10, 7);
  EXPECT_EQ(log.counts(0).tuples(), 0);
  EXPECT_EQ(log.counts(1).tuples(), 200);
  EXPECT_EQ(log.counts(1).rows_in(), 1000);
  EXPECT_EQ(log.counts(1).rows_out(), 700);
}

TEST(WorkerLog, an_operator_is_timed_first_and_when_it_was_quick_then_now_and_then) {
  WorkerLog log(1, false);
  auto& counts = log.counts(0);
  EXPECT_FALSE(counts.is_quick(10));
  for (int round = 0; round < 3; ++round) {
    counts.timed(100, 10);
    for (int i = 1; i < WorkerLog::kTimedOneIn; ++i) {
      ASSERT_TRUE(counts.is_quick(10));
      counts.untimed();
    }
    EXPECT_FALSE(counts.is_quick(10));
  }
}

TEST(WorkerLog, an_operator_that_is_not_quick_is_timed_every_time) {
  WorkerLog log(1, false);
  log.counts(0).timed(WorkerLog::kQuickNs, 10);
  EXPECT_FALSE(log.counts(0).is_quick(10));
}

TEST(WorkerLog, many_rows_are_timed_whatever_a_few_rows_took) {
  WorkerLog log(1, false);
  log.counts(0).timed(100, 10);
  EXPECT_TRUE(log.counts(0).is_quick(20));
  EXPECT_FALSE(log.counts(0).is_quick(21));
}

TEST(WorkerLog, a_visit_that_was_not_timed_took_as_long_as_the_last_that_was) {
  WorkerLog log(1, false);
  auto& counts = log.counts(0);
  counts.timed(100, 10);
  counts.untimed();
  counts.untimed();
  EXPECT_EQ(counts.busy_ns(), 300);
  counts.timed(40, 10);
  EXPECT_EQ(counts.busy_ns(), 340);
  counts.untimed();
  EXPECT_EQ(counts.busy_ns(), 380);
}

TEST(WorkerLog, what_parts_take_says_nothing_about_cutting_and_joining) {
  using Phase = WorkerLog::Phase;
  WorkerLog log(2, false);
  log.counts(1, Phase::kCut).timed(WorkerLog::kQuickNs, 10);
  log.counts(1, Phase::kPart).timed(100, 10);
  log.counts(1, Phase::kPart).untimed();
  log.counts(1).timed(30, 10);
  EXPECT_FALSE(log.counts(1, Phase::kCut).is_quick(10));
  EXPECT_TRUE(log.counts(1, Phase::kPart).is_quick(10));
  EXPECT_EQ(log.busy_ns(1), WorkerLog::kQuickNs + 200 + 30);
  EXPECT_EQ(log.busy_ns(0), 0);
}

TEST(WorkerLog, no_two_workers_write_to_one_cache_line) {
  const WorkerLog log(3, false);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&log.counts(0)) % 64, 0U);
  EXPECT_EQ(sizeof(WorkerLog::Counts), 64U);
}

}  // namespace
}  // namespace penstock
