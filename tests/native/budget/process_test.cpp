#include "penstock/budget/process.hpp"

#include <csignal>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace penstock {
namespace {

using budget::is_dead;
using budget::this_process;

TEST(Process, this_one_is_alive_and_has_a_beginning) {
  EXPECT_EQ(this_process().pid, getpid());
  EXPECT_GT(this_process().started, 0U);
  EXPECT_FALSE(is_dead(this_process()));
}

TEST(Process, of_the_same_number_that_started_at_another_time_is_another_one) {
  auto earlier = this_process();
  --earlier.started;
  EXPECT_TRUE(is_dead(earlier));
}

TEST(Process, whose_beginning_is_not_known_is_believed) {
  EXPECT_FALSE(is_dead({.pid = getpid(), .started = 0}));
}

TEST(Process, with_blanks_and_parentheses_in_its_name_is_understood) {
  const auto before = this_process();
  ASSERT_EQ(prctl(PR_SET_NAME, "a) R 1 (b"), 0);
  EXPECT_EQ(this_process(), before);
  prctl(PR_SET_NAME, "budget_tests");
}

TEST(Process, that_was_killed_is_dead_even_before_its_parent_has_noticed) {
  const pid_t child = fork();
  if (child == 0) {
    pause();
    _exit(0);
  }
  EXPECT_FALSE(is_dead({.pid = child}));
  kill(child, SIGKILL);
  siginfo_t ended{};
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT), 0);
  EXPECT_EQ(kill(child, 0), 0) << "it should still be a zombie";
  EXPECT_TRUE(is_dead({.pid = child}));
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(is_dead({.pid = child}));
}

TEST(Process, that_was_stopped_is_alive) {
  const pid_t child = fork();
  if (child == 0) {
    pause();
    _exit(0);
  }
  kill(child, SIGSTOP);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, WUNTRACED), child);
  EXPECT_FALSE(is_dead({.pid = child}));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

}  // namespace
}  // namespace penstock
