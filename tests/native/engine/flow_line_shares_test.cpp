// How many stations the parts of a keyed operator share, and that each part is at one of them.
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <utility>
#include <vector>

#include "penstock/engine/flow_line.hpp"
#include "penstock/engine/options.hpp"

#include "support/counting.hpp"
#include "support/int_batch.hpp"

namespace penstock {
namespace {

using engine::FlowLine;
using engine::Options;
using engine::Threading;

graph::Topology counting_by(int parts) {
  graph::TopologyBuilder builder("shares");
  const int count =
      builder.add("count", graph::Kind::kKeyed, 1, 1, std::make_unique<support::Counting>(parts));
  builder.connect(graph::kSource, 0, count, 0);
  builder.connect(count, 0, graph::kSink, 0);
  return std::move(builder).build();
}

int stations_of_parts(const FlowLine& line) { return line.stations() - 3; }  // cut, join, sink

TEST(FlowLineShares, parts_share_as_many_stations_as_there_may_be_and_never_more_than_parts) {
  const auto topology = counting_by(7);
  EXPECT_EQ(stations_of_parts(FlowLine(topology, 2)), 2);
  EXPECT_EQ(stations_of_parts(FlowLine(topology, 4)), 4);
  EXPECT_EQ(stations_of_parts(FlowLine(topology, 100)), 7);
  EXPECT_EQ(FlowLine(topology, 1).stations(), 2) << "one station does all, and the sink";
}

TEST(FlowLineShares, every_part_works_once_however_they_are_shared) {
  for (int shares = 1; shares <= 8; ++shares) {
    SCOPED_TRACE(shares);
    const auto topology = counting_by(7);
    FlowLine line(topology, shares);
    engine::FlowRun run;
    line.fill(run, {.batch = support::make_int_batch({0, 1, 2, 3, 4, 5, 6, 13, 0}),
                    .origin = {.first = 0, .count = 9}});
    line.work_through(run);
    ASSERT_EQ(run.out.size(), 1U);
    EXPECT_EQ(support::read_column(run.out[0]),
              (std::vector<std::int64_t>{1, 1, 1, 1, 1, 1, 1, 1, 2}));
  }
}

TEST(FlowLineShares, a_thread_has_two_stations_where_they_have_queues_and_all_on_a_conveyor) {
  const auto shares = [](Threading threading, int threads) {
    return engine::shares_of_parts({.threading = threading, .threads = threads});
  };
  EXPECT_EQ(shares(Threading::kDynamic, 3), 6);
  EXPECT_GT(shares(Threading::kConveyor, 3), 1000);
  EXPECT_GT(shares(Threading::kAutomatic, 3), 1000);
  EXPECT_EQ(shares(Threading::kDynamic, 1), 1);
  EXPECT_EQ(shares(Threading::kManual, 3), 1);
  EXPECT_EQ(shares(Threading::kDedicated, 3), 1);
}

}  // namespace
}  // namespace penstock
