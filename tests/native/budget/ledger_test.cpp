#include "penstock/budget/ledger.hpp"

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "budget/page_file.hpp"

namespace penstock {
namespace {

using budget::Ledger;
using budget::LedgerError;

class LedgerFile : public support::PageFile {
 protected:
  void write(const std::string& bytes) const {
    std::ofstream(path(), std::ios::binary) << bytes;
    std::filesystem::permissions(
        path(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  }

  // What is said about the page; empty when it is taken.
  [[nodiscard]] std::string problem() const {
    try {
      const Ledger ledger(path());
      return "";
    } catch (const LedgerError& error) {
      return error.what();
    }
  }

  void expect_problem(const std::string& text) const {
    const std::string found = problem();
    EXPECT_NE(found.find(text), std::string::npos) << found;
    EXPECT_NE(found.find(path()), std::string::npos) << found;
  }
};

TEST_F(LedgerFile, is_made_by_whoever_comes_first_for_its_owner_alone) {
  const Ledger ledger(path());
  struct stat found{};
  ASSERT_EQ(stat(path().c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777U, 0600U);
  EXPECT_EQ(found.st_size, static_cast<off_t>(Ledger::kBytes));
  EXPECT_GE(found.st_blocks * 512, found.st_size) << "a full disk must show here, not later";
}

TEST_F(LedgerFile, shows_everybody_the_same_table) {
  const Ledger mine(path());
  const Ledger others(path());
  const auto place = mine.table().try_take({.pid = 7, .started = 9}, {});
  ASSERT_TRUE(place);
  EXPECT_EQ(others.table().owner_of(*place), (budget::Owner{.pid = 7, .started = 9}));
}

TEST_F(LedgerFile, of_no_bytes_or_of_nothing_but_zeros_was_begun_and_is_finished) {
  write("");
  EXPECT_EQ(problem(), "");
  write(std::string(Ledger::kBytes, '\0'));
  EXPECT_EQ(problem(), "");
  EXPECT_EQ(problem(), "");
}

TEST_F(LedgerFile, that_was_cut_short_is_refused) {
  write(std::string(100, '\0'));
  expect_problem("has 100 bytes instead of 32768");
}

TEST_F(LedgerFile, of_something_else_is_refused) {
  write(std::string(Ledger::kBytes, 'x'));
  expect_problem("is no ledger of threads");
}

TEST_F(LedgerFile, of_a_newer_version_is_refused) {
  {
    const Ledger ledger(path());
  }
  std::fstream file(path(), std::ios::in | std::ios::out | std::ios::binary);
  const std::uint32_t newer = Ledger::kVersion + 1;
  file.seekp(8).write(reinterpret_cast<const char*>(&newer), sizeof(newer));
  file.close();
  expect_problem("has version 2 with 255 slots, and this Penstock knows version 1");
}

TEST_F(LedgerFile, that_is_a_link_is_refused) {
  const auto elsewhere = folder_ / "elsewhere";
  {
    const Ledger ledger(elsewhere);
  }
  std::filesystem::create_symlink(elsewhere, path());
  expect_problem("is a link");
}

TEST_F(LedgerFile, whose_place_is_taken_by_a_folder_or_a_pipe_is_refused) {
  std::filesystem::create_directory(path());
  expect_problem("cannot be opened: Is a directory");
  std::filesystem::remove(path());
  ASSERT_EQ(mkfifo(path().c_str(), 0600), 0);
  expect_problem("is not a plain file");
}

TEST_F(LedgerFile, that_others_could_write_is_refused) {
  {
    const Ledger ledger(path());
  }
  ASSERT_EQ(chmod(path().c_str(), 0620), 0);
  expect_problem("may be read or written by other users");
}

TEST_F(LedgerFile, of_another_user_is_refused) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  {
    const Ledger ledger(path());
  }
  ASSERT_EQ(chown(path().c_str(), 12345, 12345), 0);
  expect_problem("belongs to user 12345, not to 0");
}

TEST_F(LedgerFile, in_a_folder_that_is_not_there_is_refused) {
  std::filesystem::remove_all(folder_);
  expect_problem("cannot be opened: No such file or directory");
}

TEST_F(LedgerFile, has_a_lock_that_one_at_a_time_can_have_and_nobody_waits_for) {
  const Ledger mine(path());
  const Ledger others(path());
  std::optional<Ledger::Lock> lock(mine);
  EXPECT_TRUE(*lock);
  EXPECT_FALSE(Ledger::Lock(others));
  lock.reset();
  EXPECT_TRUE(Ledger::Lock(others));
}

TEST_F(LedgerFile, gets_its_lock_back_from_a_process_that_was_killed) {
  const Ledger mine(path());
  int said[2];
  ASSERT_EQ(pipe(said), 0);
  const pid_t child = fork();
  if (child == 0) {
    const Ledger own(path());
    const Ledger::Lock lock(own);
    static_cast<void>(::write(said[1], lock ? "y" : "n", 1));
    pause();
  }
  char answer = '?';
  ASSERT_EQ(read(said[0], &answer, 1), 1);
  EXPECT_EQ(answer, 'y');
  EXPECT_FALSE(Ledger::Lock(mine));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(Ledger::Lock(mine));
  close(said[0]);
  close(said[1]);
}

}  // namespace
}  // namespace penstock
