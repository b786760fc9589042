#include "penstock/schedule/worker_meter.hpp"

#include <chrono>
#include <gtest/gtest.h>
#include <vector>

#include "penstock/base/cache_line.hpp"

namespace penstock {
namespace {

using Meter = schedule::WorkerMeter<>;
using schedule::Rest;
using std::chrono::nanoseconds;

TEST(WorkerMeter, fills_one_cache_line_that_no_other_worker_writes) {
  EXPECT_EQ(sizeof(Meter), base::kCacheLine);
  EXPECT_EQ(alignof(Meter), base::kCacheLine);
  const std::vector<Meter> meters(3);
  for (const auto& meter : meters) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&meter) % base::kCacheLine, 0U);
  }
}

TEST(WorkerMeter, a_worker_that_was_never_started_has_no_time) {
  const Meter meter;
  EXPECT_FALSE(meter.read(nanoseconds(100)).started);
  EXPECT_EQ(meter.read(nanoseconds(100)).busy.count(), 0);
}

TEST(WorkerMeter, whatever_is_not_rest_is_being_busy) {
  Meter meter;
  meter.start(nanoseconds(100));
  meter.begin(Rest::kAsleep, nanoseconds(110));
  meter.end(Rest::kAsleep, nanoseconds(130));
  meter.carried();
  meter.begin(Rest::kAway, nanoseconds(135));
  meter.end(Rest::kAway, nanoseconds(142));
  meter.begin(Rest::kAsleep, nanoseconds(150));
  meter.end(Rest::kAsleep, nanoseconds(151));
  meter.finish(nanoseconds(160));
  const auto read = meter.read(nanoseconds(999));
  EXPECT_TRUE(read.started);
  EXPECT_EQ(read.asleep.count(), 21);
  EXPECT_EQ(read.away.count(), 7);
  EXPECT_EQ(read.busy.count(), 60 - 21 - 7);
  EXPECT_EQ(read.pieces, 1);
}

TEST(WorkerMeter, counts_what_is_still_going_on_up_to_now) {
  Meter meter;
  meter.start(nanoseconds(100));
  EXPECT_EQ(meter.read(nanoseconds(140)).busy.count(), 40);
  meter.begin(Rest::kAsleep, nanoseconds(150));
  EXPECT_EQ(meter.read(nanoseconds(170)).busy.count(), 50);
  EXPECT_EQ(meter.read(nanoseconds(170)).asleep.count(), 20);
  EXPECT_EQ(meter.read(nanoseconds(180)).asleep.count(), 30);
}

TEST(WorkerMeter, a_worker_that_outlives_the_flow_is_read_up_to_the_end_of_the_flow) {
  Meter meter;
  meter.start(nanoseconds(100));
  meter.finish(nanoseconds(500));
  EXPECT_EQ(meter.read(nanoseconds(300)).busy.count(), 200);
}

TEST(Resting, is_measured_for_as_long_as_it_lasts) {
  Meter meter;
  meter.start(base::RealSync::now());
  {
    const schedule::Resting<> asleep(&meter, Rest::kAsleep);
    const auto before = base::RealSync::now();
    while (base::RealSync::now() == before) {
    }
  }
  const auto read = meter.read(base::RealSync::now());
  EXPECT_GT(read.asleep.count(), 0);
  const schedule::Resting<> nobody(nullptr, Rest::kAsleep);
}

}  // namespace
}  // namespace penstock
