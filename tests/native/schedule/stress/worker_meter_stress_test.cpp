// One worker writes, others read: no reading goes back, and none counts a moment twice.

#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

#include "penstock/schedule/worker_meter.hpp"

namespace penstock {
namespace {

using schedule::Rest;
using std::chrono::nanoseconds;

TEST(WorkerMeterStress, readers_never_see_more_time_than_there_was) {
  constexpr int kRests = 50'000;
  constexpr int kReaders = 3;
  schedule::WorkerMeter<> meter;
  std::atomic<std::int64_t> now = 1;
  std::atomic<bool> done = false;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> readers;
  for (int i = 0; i < kReaders; ++i) {
    readers.emplace_back([&] {
      std::int64_t pieces = 0;
      while (!done.load()) {
        // Everything that can be seen was written before `later`.
        const auto read = meter.read(nanoseconds(now.load()));
        const auto later = now.load();
        if (read.asleep.count() > later || read.busy.count() < 0) ++wrong;
        if (read.busy + read.asleep + read.away > nanoseconds(later)) ++wrong;
        if (read.pieces < pieces) ++wrong;
        pieces = read.pieces;
      }
    });
  }
  meter.start(nanoseconds(0));
  for (int i = 0; i < kRests; ++i) {
    meter.begin(Rest::kAsleep, nanoseconds(now.load()));
    meter.end(Rest::kAsleep, nanoseconds(now.fetch_add(1) + 1));
    meter.carried();
  }
  done = true;
  for (auto& reader : readers) reader.join();
  EXPECT_EQ(wrong, 0);
  const auto read = meter.read(nanoseconds(now.load()));
  EXPECT_EQ(read.asleep.count(), kRests);
  EXPECT_EQ(read.pieces, kRests);
}

}  // namespace
}  // namespace penstock
