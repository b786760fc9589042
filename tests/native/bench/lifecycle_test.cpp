#include "bench/lifecycle.hpp"

#include <gtest/gtest.h>

namespace penstock::bench {
namespace {

TEST(Lifecycle, a_flow_starts_idles_and_stops_under_every_threading_model) {
  using engine::Threading;
  for (const auto threading : {Threading::kManual, Threading::kDedicated, Threading::kDynamic,
                               Threading::kConveyor, Threading::kAutomatic}) {
    engine::Options options;
    options.threading = threading;
    options.threads = 2;
    const auto found = measure_lifecycle(50, options, 0.001);
    EXPECT_GT(found.start_ms, 0);
    EXPECT_GT(found.stop_ms, 0);
    EXPECT_GE(found.idle_cores, 0);
  }
}

}  // namespace
}  // namespace penstock::bench
