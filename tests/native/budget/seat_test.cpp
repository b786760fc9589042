#include "penstock/budget/seat.hpp"

#include <array>
#include <csignal>
#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "penstock/budget/process.hpp"

#include "budget/page_file.hpp"

namespace penstock {
namespace {

using budget::Allowance;
using budget::Ledger;
using budget::Seat;

class SeatTest : public support::PageFile {
 protected:
  [[nodiscard]] std::unique_ptr<Seat> sit(int cores = 4, int guaranteed = 1) const {
    return std::make_unique<Seat>(path(), cores, guaranteed);
  }
  static Allowance::Demand all(int threads = 4) { return {.wanted = threads, .most = threads}; }
};

TEST_F(SeatTest, alone_may_have_all_cores) {
  const auto seat = sit();
  const auto standing = seat->look(all());
  EXPECT_EQ(standing.share, 4);
  EXPECT_EQ(standing.possible, 4);
  EXPECT_EQ(standing.tasks, 1);
  EXPECT_EQ(seat->raise(4), 4);
}

TEST_F(SeatTest, gives_what_is_wanted_as_share_and_what_could_be_wanted_as_possible) {
  const auto seat = sit();
  const auto standing = seat->look({.wanted = 2, .most = 3});
  EXPECT_EQ(standing.share, 2);
  EXPECT_EQ(standing.possible, 3);
}

TEST_F(SeatTest, gets_no_more_than_others_leave_it_until_they_have_gone_down) {
  const auto first = sit();
  static_cast<void>(first->look(all()));
  ASSERT_EQ(first->raise(4), 4);
  const auto second = sit();
  EXPECT_EQ(second->look(all()).share, 2);
  EXPECT_EQ(second->raise(2), 1) << "the first still uses four";
  EXPECT_EQ(first->look(all()).share, 2);
  first->lower(2);
  EXPECT_EQ(second->raise(4), 2);
}

TEST_F(SeatTest, gets_what_another_does_not_want) {
  const auto first = sit();
  const auto second = sit();
  static_cast<void>(first->look(all()));
  EXPECT_EQ(second->look(all()).share, 2);
  static_cast<void>(first->look({.wanted = 1, .most = 4}));
  EXPECT_EQ(second->look(all()).share, 3);
  EXPECT_EQ(second->raise(4), 3);
}

TEST_F(SeatTest, gets_what_another_leaves) {
  auto first = sit();
  const auto second = sit();
  static_cast<void>(first->look(all()));
  EXPECT_EQ(first->raise(2), 2);
  EXPECT_EQ(second->raise(4), 2);
  first.reset();
  EXPECT_EQ(second->look(all()).share, 4);
  EXPECT_EQ(second->raise(4), 4);
}

TEST_F(SeatTest, has_the_cores_of_its_task_even_if_there_are_none) {
  const auto first = sit(2, 2);
  const auto second = sit(2, 2);
  EXPECT_EQ(first->raise(4), 2);
  EXPECT_EQ(second->raise(4), 2);
  second->lower(1);
  EXPECT_EQ(second->look(all()).share, 2) << "what Spark gave to a task stays with it";
}

TEST_F(SeatTest, that_cannot_do_with_fewer_is_counted_as_it_is) {
  const auto dedicated = sit();
  dedicated->insist(3);
  const auto other = sit();
  EXPECT_EQ(other->look(all()).share, 1);
  EXPECT_EQ(other->raise(4), 1);
}

TEST_F(SeatTest, leaves_cores_to_tasks_that_have_no_seat_where_it_is_told_of_them) {
  const auto seat = sit();
  const Ledger ledger(path());
  const auto tell = [&](std::int32_t tasks) {
    // As the executor's JVM does it: by the documented place in the file.
    std::FILE* const file = std::fopen(path().c_str(), "r+b");
    std::fseek(file, 16, SEEK_SET);
    std::fwrite(&tasks, sizeof(tasks), 1, file);
    std::fclose(file);
  };
  tell(3);
  EXPECT_EQ(seat->look(all()).share, 2);
  EXPECT_EQ(seat->look(all()).tasks, 3);
  EXPECT_EQ(seat->raise(4), 2);
  tell(-1);
  EXPECT_EQ(seat->raise(4), 4);
}

TEST_F(SeatTest, of_a_process_that_was_killed_is_taken_back) {
  std::array<int, 2> said{};
  ASSERT_EQ(pipe(said.data()), 0);
  const pid_t child = fork();
  if (child == 0) {
    const auto seat = sit();
    static_cast<void>(seat->look({.wanted = 3, .most = 3}));
    const auto got = static_cast<char>(seat->raise(3));
    static_cast<void>(write(said[1], &got, 1));
    pause();
  }
  char got = 0;
  ASSERT_EQ(read(said[0], &got, 1), 1);
  EXPECT_EQ(got, 3);
  const auto seat = sit();
  EXPECT_EQ(seat->look(all()).share, 2);
  kill(child, SIGKILL);
  siginfo_t ended{};
  waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT);
  EXPECT_EQ(seat->sweep(), 1) << "a zombie has no threads";
  EXPECT_EQ(seat->look(all()).share, 4);
  EXPECT_EQ(seat->raise(4), 4);
  waitpid(child, nullptr, 0);
  close(said[0]);
  close(said[1]);
}

TEST_F(SeatTest, of_a_process_whose_number_was_given_to_another_is_taken_back) {
  const auto seat = sit();
  auto reused = budget::this_process();
  ++reused.started;
  const Ledger ledger(path());
  ASSERT_TRUE(ledger.table().try_take(reused, {.guaranteed = 3, .wanted = 3}));
  EXPECT_EQ(seat->sweep(), 1);
  EXPECT_EQ(seat->raise(4), 4);
}

TEST_F(SeatTest, takes_back_what_the_dead_had_within_a_few_looks) {
  const auto seat = sit();
  const Ledger ledger(path());
  ASSERT_TRUE(ledger.table().try_take({.pid = getpid(), .started = 1}, {}));
  int share = 0;
  for (int i = 0; i < 4; ++i) share = seat->look(all()).share;
  EXPECT_EQ(share, 4);
}

TEST_F(SeatTest, is_neither_used_nor_given_back_by_a_process_that_was_forked_off) {
  auto seat = sit();
  const pid_t child = fork();
  if (child == 0) {
    const bool no_more = seat->raise(4) == 1 && seat->look(all()).share == 1;
    seat->lower(1);
    seat.reset();
    _exit(no_more ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  const Ledger ledger(path());
  EXPECT_EQ(ledger.table().owner_of(0), budget::this_process());
}

TEST_F(SeatTest, waits_for_nobody_who_holds_the_lock) {
  const auto first = sit();
  const Ledger ledger(path());
  std::unique_ptr<Seat> late;
  {
    const Ledger::Lock stopped(ledger);
    EXPECT_EQ(first->raise(4), 1);
    late = sit();
    EXPECT_FALSE(late->seated());
    EXPECT_EQ(late->look(all()).share, 1);
    EXPECT_EQ(late->raise(2), 1);
    first->lower(1);
  }
  EXPECT_EQ(late->look(all()).share, 3);
  EXPECT_TRUE(late->seated());
}

TEST_F(SeatTest, that_is_not_to_be_had_leaves_what_is_guaranteed) {
  std::vector<std::unique_ptr<Seat>> all_seats;
  for (std::size_t i = 0; i < Ledger::kSlots; ++i) all_seats.push_back(sit(1000));
  const auto late = sit(1000, 2);
  EXPECT_FALSE(late->seated());
  EXPECT_EQ(late->look(all(9)).share, 2);
  EXPECT_EQ(late->raise(9), 2);
  all_seats.pop_back();
  EXPECT_EQ(late->look(all(9)).share, 9);
  EXPECT_TRUE(late->seated());
}

TEST_F(SeatTest, can_be_left_twice_and_used_no_more) {
  const auto seat = sit();
  seat->leave();
  seat->leave();
  const auto next = sit();
  seat->lower(4);
  EXPECT_EQ(seat->raise(4), 1);
  EXPECT_EQ(next->raise(4), 4);
}

TEST_F(SeatTest, without_cores_is_refused) {
  EXPECT_THROW(sit(0), std::invalid_argument);
  EXPECT_THROW(sit(1, 0), std::invalid_argument);
}

}  // namespace
}  // namespace penstock
