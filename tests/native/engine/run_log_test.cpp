#include "penstock/engine/run_log.hpp"

#include <gtest/gtest.h>

namespace penstock {
namespace {

using engine::RunLog;
using engine::Visit;

bool timed(RunLog& log, int node, std::int64_t rows) {
  Visit visit = log.arrive(node, 1, rows);
  log.depart(visit, rows);
  return visit.end_ns != Visit::kUntimed;
}

TEST(RunLog, counts_every_visit_by_operator) {
  RunLog log(2, false);
  for (int i = 0; i < 100; ++i) {
    Visit visit = log.arrive(1, 2, 10);
    log.depart(visit, 7);
  }
  EXPECT_EQ(log.counts(0).tuples.value(), 0);
  EXPECT_EQ(log.counts(1).tuples.value(), 200);
  EXPECT_EQ(log.counts(1).rows_in.value(), 1000);
  EXPECT_EQ(log.counts(1).rows_out.value(), 700);
  EXPECT_GT(log.counts(1).busy_ns.value(), 0);
}

TEST(RunLog, a_quick_operator_is_timed_first_and_then_now_and_then) {
  RunLog log(1, false);
  EXPECT_TRUE(timed(log, 0, 10));
  int times = 0;
  for (int i = 0; i < 64 * RunLog::kTimedOneIn; ++i) times += timed(log, 0, 10) ? 1 : 0;
  EXPECT_GE(times, 64);
  EXPECT_LT(times, 64 * RunLog::kTimedOneIn / 2) << "it was timed almost always";
}

TEST(RunLog, many_rows_are_timed_whatever_a_few_rows_took) {
  RunLog log(1, false);
  EXPECT_TRUE(timed(log, 0, 10));
  EXPECT_TRUE(timed(log, 0, 21));
}

TEST(RunLog, an_operator_that_is_not_quick_is_timed_every_time) {
  RunLog log(1, false);
  for (int i = 0; i < 10; ++i) {
    Visit visit = log.arrive(0, 1, 10);
    ASSERT_NE(visit.start_ns, Visit::kUntimed) << "visit " << i;
    while (base::RealSync::now().count() < visit.start_ns + RunLog::kQuickNs) {
    }
    log.depart(visit, 10);
  }
  EXPECT_GE(log.counts(0).busy_ns.value(), 10 * RunLog::kQuickNs);
}

TEST(RunLog, a_trace_has_every_visit_with_its_times_and_its_worker) {
  RunLog log(2, true);
  engine::worker_number = 3;
  for (const int node : {0, 1}) EXPECT_TRUE(timed(log, node, 10));
  engine::worker_number = 0;
  ASSERT_EQ(log.visits().size(), 2U);
  EXPECT_EQ(log.visits()[1].node, 1);
  EXPECT_EQ(log.visits()[1].worker, 3);
  EXPECT_LE(log.visits()[0].end_ns, log.visits()[1].start_ns);
  log.forget_visits();
  EXPECT_TRUE(log.visits().empty());
  EXPECT_EQ(log.counts(0).tuples.value(), 1) << "counts are of all runs";
}

}  // namespace
}  // namespace penstock
