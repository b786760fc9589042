#include "penstock/base/thread.hpp"

#include <array>
#include <cstddef>
#include <gtest/gtest.h>
#include <pthread.h>
#include <string>
#include <system_error>
#include <utility>

namespace penstock::base {
namespace {

std::string own_name() {
  std::array<char, 16> name{};
  pthread_getname_np(pthread_self(), name.data(), name.size());
  return name.data();
}

TEST(thread, runs_its_body_under_its_name_cut_to_fifteen_characters) {
  std::string name;
  Thread({.name = "penstock-worker-12"}, [&] { name = own_name(); }).join();
  EXPECT_EQ(name, "penstock-worker");
}

TEST(thread, has_the_stack_that_was_asked_for) {
  std::size_t bytes = 0;
  // More than the usual limit of a process, which every thread would get otherwise.
  Thread({.name = "stack", .stack_bytes = std::size_t{24} << 20U}, [&] {
    pthread_attr_t attributes;
    void* bottom = nullptr;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstack(&attributes, &bottom, &bytes);
    pthread_attr_destroy(&attributes);
  }).join();
  EXPECT_GE(bytes, std::size_t{23} << 20U);
}

TEST(thread, is_joined_when_destroyed_and_when_replaced) {
  bool first_done = false;
  bool second_done = false;
  {
    Thread thread({.name = "first"}, [&] { first_done = true; });
    thread = Thread({.name = "second"}, [&] { second_done = true; });
    EXPECT_TRUE(first_done);
  }
  EXPECT_TRUE(second_done);
}

TEST(thread, can_be_moved_and_joined_twice) {
  int done = 0;
  Thread thread({.name = "moved"}, [&] { ++done; });
  Thread other = std::move(thread);
  EXPECT_TRUE(other.joinable());
  other.join();
  other.join();
  EXPECT_FALSE(other.joinable());
  EXPECT_EQ(done, 1);
}

TEST(thread, that_cannot_start_says_which_and_what_to_do) {
  constexpr std::size_t kMoreThanAnyMachine = std::size_t{1} << 50U;
  try {
    const Thread thread({.name = "giant", .stack_bytes = kMoreThanAnyMachine}, [] {});
    FAIL() << "a stack of a petabyte was granted";
  } catch (const std::system_error& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("'giant'"), std::string::npos) << message;
    EXPECT_NE(message.find("1099511627776 KiB"), std::string::npos) << message;
    EXPECT_NE(message.find("use fewer threads"), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace penstock::base
