#include "penstock/base/address_space.hpp"

#include <cstddef>
#include <cstdlib>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <system_error>

#include "penstock/base/thread.hpp"

namespace penstock::base {
namespace {

constexpr std::size_t kMany = std::size_t{1} << 46U;

// Sanitizers reserve more address space than any limit allows.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(AddressSpaceDeathTest, a_thread_is_refused_before_the_last_of_it_is_taken) {
  const auto limited = [] {
    const rlimit limit{.rlim_cur = std::size_t{1} << 32U, .rlim_max = std::size_t{1} << 32U};
    setrlimit(RLIMIT_AS, &limit);
    const bool small = has_room_for_thread(std::size_t{1} << 20U);
    const bool large = has_room_for_thread(std::size_t{3} << 30U);
    bool refused = false;
    try {
      Thread({.name = "large", .stack_bytes = std::size_t{3} << 30U}, [] {}).join();
    } catch (const std::system_error&) {
      refused = true;
    }
    std::exit(small && !large && refused ? 0 : 1);  // NOLINT(concurrency-mt-unsafe)
  };
  EXPECT_EXIT(limited(), testing::ExitedWithCode(0), "");
}
#endif

TEST(address_space, without_a_limit_there_is_always_room) {
  rlimit limit{};
  getrlimit(RLIMIT_AS, &limit);
  if (limit.rlim_cur != RLIM_INFINITY) GTEST_SKIP() << "this process has a limit";
  EXPECT_TRUE(has_room_for_thread(kMany));
}

}  // namespace
}  // namespace penstock::base
