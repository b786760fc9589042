#include "penstock/queue/ready_set.hpp"

#include <cstddef>
#include <gtest/gtest.h>
#include <optional>
#include <random>
#include <set>

namespace penstock::queue {
namespace {

TEST(ready_set, a_port_put_in_twice_comes_out_once) {
  ReadySet<> ready(10);
  EXPECT_TRUE(ready.set(4));
  EXPECT_FALSE(ready.set(4)) << "it was in the set already";
  EXPECT_EQ(ready.take_next(0), 4U);
  EXPECT_EQ(ready.take_next(0), std::nullopt);
  EXPECT_TRUE(ready.set(4));
}

TEST(ready_set, the_search_starts_where_it_is_told_and_goes_round) {
  ReadySet<> ready(200);
  for (const std::size_t port : {0U, 5U, 63U, 64U, 199U}) ready.set(port);
  EXPECT_EQ(ready.take_next(6), 63U);
  EXPECT_EQ(ready.take_next(64), 64U);
  EXPECT_EQ(ready.take_next(65), 199U);
  EXPECT_EQ(ready.take_next(200), 0U) << "a start past the end is the beginning";
  EXPECT_EQ(ready.take_next(6), 5U);
  EXPECT_EQ(ready.take_next(6), std::nullopt);
}

TEST(ready_set, going_on_after_the_last_port_serves_all_ports_in_turn) {
  constexpr std::size_t kPorts = 130;
  ReadySet<> ready(kPorts);
  for (std::size_t port = 0; port < kPorts; ++port) ready.set(port);
  std::size_t start = 100;
  for (std::size_t i = 0; i < 3 * kPorts; ++i) {
    const auto port = ready.take_next(start);
    ASSERT_EQ(port, start % kPorts) << "a busy port must not be served before its turn";
    ready.set(*port);
    start = *port + 1;
  }
}

TEST(ready_set, every_port_of_every_size_is_found_from_every_start) {
  for (const std::size_t size : {1U, 2U, 63U, 64U, 65U, 128U, 4096U, 4097U, 9000U}) {
    ReadySet<> ready(size);
    for (std::size_t port = 0; port < size; port += 1 + size / 50) {
      for (const std::size_t start : {std::size_t{0}, port, port + 1, size - 1, size / 2}) {
        ASSERT_TRUE(ready.set(port));
        ASSERT_EQ(ready.take_next(start), port) << "size " << size << ", start " << start;
      }
    }
    EXPECT_EQ(ready.take_next(0), std::nullopt);
  }
}

TEST(ready_set, an_empty_set_has_nothing_ready_and_no_room) {
  ReadySet<> ready(0);
  EXPECT_EQ(ready.take_next(0), std::nullopt);
  EXPECT_DEATH(ready.set(0), "inside the ready set");
}

TEST(ready_set, behaves_as_a_set_that_is_read_in_a_circle) {
  std::mt19937 random(64);
  for (const std::size_t size : {7U, 64U, 300U, 5000U}) {
    ReadySet<> ready(size);
    std::set<std::size_t> oracle;
    for (int step = 0; step < 20'000; ++step) {
      const std::size_t port = random() % size;
      if (random() % 16 < 7) {
        ASSERT_EQ(ready.set(port), oracle.insert(port).second);
        continue;
      }
      auto next = oracle.lower_bound(port);
      if (next == oracle.end()) next = oracle.begin();
      const auto taken = ready.take_next(port);
      ASSERT_EQ(taken.has_value(), next != oracle.end());
      if (!taken) continue;
      ASSERT_EQ(*taken, *next);
      oracle.erase(next);
    }
    EXPECT_EQ(ready.size_hint(), oracle.size());
  }
}

}  // namespace
}  // namespace penstock::queue
