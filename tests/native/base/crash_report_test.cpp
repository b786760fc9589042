#include "penstock/base/crash_report.hpp"

#include <array>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

#include "penstock/base/activity.hpp"

namespace penstock::base {
namespace {

// Sanitizers have handlers of their own, which are called next and end the process otherwise.
using CrashReportDeathTest = testing::Test;

TEST(CrashReportDeathTest, names_the_operator_flow_rows_and_signal) {
  const auto crash = [] {
    report_crashes();
    const Activity activity("logins", "parse", {.first = 1200, .count = 34});
    raise(SIGSEGV);
  };
  EXPECT_DEATH(crash(),
               "penstock: operator 'parse' of flow 'logins' crashed \\(SIGSEGV\\) in input rows "
               "1200 to 1233, in process [0-9]+\n");
}

TEST(CrashReportDeathTest, a_single_row_is_named_and_none_is_not) {
  const auto crash = [](std::int64_t count) {
    report_crashes();
    const Activity activity("f", "work", {.first = 0, .count = count});
    std::abort();
  };
  EXPECT_DEATH(crash(1), "'work' of flow 'f' crashed \\(SIGABRT\\) at input row 0, in process");
  EXPECT_DEATH(crash(0), "'work' of flow 'f' crashed \\(SIGABRT\\), in process");
}

TEST(CrashReportDeathTest, another_thread_tells_of_its_own_operator) {
  const auto crash = [] {
    report_crashes();
    const Activity activity("f", "innocent", {});
    std::thread([] {
      const Activity other("f", "guilty", {});
      raise(SIGFPE);
    }).join();
  };
  EXPECT_DEATH(crash(), "operator 'guilty' of flow 'f' crashed \\(SIGFPE\\)");
}

TEST(CrashReportDeathTest, whoever_was_there_before_comes_next) {
  const auto crash = [] {
    std::signal(SIGBUS, [](int) {
      constexpr std::array<char, 13> kText{"and then me\n"};
      [[maybe_unused]] const auto written = write(STDERR_FILENO, kText.data(), kText.size() - 1);
      _exit(3);
    });
    report_crashes();
    const Activity activity("f", "work", {});
    raise(SIGBUS);
  };
  EXPECT_EXIT(crash(), testing::ExitedWithCode(3), "crashed \\(SIGBUS\\), in .*\nand then me");
}

// Python's faulthandler may be turned on above us and below us at once.
TEST(CrashReportDeathTest, two_who_point_at_each_other_do_not_go_round) {
  const auto crash = [] {
    report_crashes();
    static struct sigaction ours{};
    sigaction(SIGILL, nullptr, &ours);
    std::signal(SIGILL, [](int signal) {
      sigaction(signal, &ours, nullptr);
      raise(signal);
    });
    report_crashes();
    const Activity activity("f", "work", {});
    raise(SIGILL);
  };
  EXPECT_DEATH(crash(), "crashed \\(SIGILL\\)");
}

TEST(CrashReportDeathTest, the_line_also_goes_into_the_log) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
  const auto crash = [&ends] {
    report_crashes(ends[1]);
    const Activity activity("f", "work", {});
    raise(SIGSEGV);
  };
  EXPECT_DEATH(crash(), "operator 'work'");
  std::array<char, 64> found{};
  ASSERT_GT(read(ends[0], found.data(), found.size() - 1), 0);
  EXPECT_EQ(std::string(found.data()).find("penstock: operator 'work' of flow 'f' crashed"), 0U);
  close(ends[0]);
  close(ends[1]);
}

// Without ever returning, and with something to do after the call, so that it needs its stack.
// Which function comes next is read each time: compilers see an endless recursion that is written
// plainly, and refuse it.
struct Endless {
  int (*volatile next)(volatile Endless*);
  volatile int depth;
};

int endless(volatile Endless* self) {
  std::array<volatile char, 4096> room{};
  room[0] = static_cast<char>(self->depth);
  self->depth = self->depth + 1;
  return self->next(self) + room[0];
}

TEST(CrashReportDeathTest, a_thread_tells_also_when_its_stack_ran_out) {
  const auto crash = [] {
    report_crashes();
    std::thread([] {
      keep_stack_for_crash();
      const Activity activity("f", "recurse", {});
      volatile Endless recursion{.next = endless, .depth = 0};
      static_cast<void>(endless(&recursion));
    }).join();
  };
  EXPECT_DEATH(crash(), "operator 'recurse' of flow 'f' crashed \\(SIGSEGV\\)");
}

}  // namespace
}  // namespace penstock::base
