// The explorer against programs whose possible outcomes the C++ memory model prescribes.

#include <chrono>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <utility>

#include "explorer/explore.hpp"
#include "explorer/scenario.hpp"
#include "explorer/sim_sync.hpp"

namespace penstock::explorer {
namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;
constexpr auto kAcquire = std::memory_order_acquire;
constexpr auto kRelease = std::memory_order_release;
constexpr auto kSeqCst = std::memory_order_seq_cst;

using AtomicInt = SimSync::Atomic<int>;
using Outcomes = std::set<std::pair<int, int>>;

// All results that a two-value program shows in a few thousand schedules.
Outcomes outcomes_of(const std::function<std::pair<int, int>()>& program) {
  Outcomes outcomes;
  const Report report = explore({.schedules = 4'000}, [&] { outcomes.insert(program()); });
  EXPECT_FALSE(report.failure) << report.failure->sentence;
  return outcomes;
}

Outcomes store_buffering(std::memory_order store, std::memory_order load, bool fence) {
  return outcomes_of([=] {
    AtomicInt x;
    AtomicInt y;
    int seen_x = -1;
    int seen_y = -1;
    Crew crew;
    crew.add("a", [&] {
      x.store(1, store);
      if (fence) SimSync::fence_seq_cst();
      seen_y = y.load(load);
    });
    crew.add("b", [&] {
      y.store(1, store);
      if (fence) SimSync::fence_seq_cst();
      seen_x = x.load(load);
    });
    crew.join();
    return std::pair(seen_y, seen_x);
  });
}

std::function<void()> message_passing(std::memory_order store, std::memory_order load) {
  return [=] {
    SimSync::Plain<int> message;
    AtomicInt flag;
    Crew crew;
    crew.add("writer", [&] {
      SimSync::write(message) = 42;
      flag.store(1, store);
    });
    crew.add("reader", [&] {
      if (flag.load(load) == 1) expect(SimSync::read(message) == 42, "message is there");
    });
  };
}

std::string failure_of(const std::function<void()>& scenario, ScheduleOptions options = {}) {
  const Report report = explore({.schedules = 4'000, .schedule = options}, scenario);
  return report.failure ? report.failure->sentence : "";
}

TEST(explorer, store_buffering_is_seen_without_a_total_order) {
  EXPECT_TRUE(store_buffering(kRelease, kAcquire, false).contains({0, 0}));
  EXPECT_TRUE(store_buffering(kSeqCst, kRelaxed, false).contains({0, 0}));
}

TEST(explorer, store_buffering_is_ruled_out_by_fences_and_by_seq_cst) {
  const Outcomes all_but_one{{0, 1}, {1, 0}, {1, 1}};
  EXPECT_EQ(store_buffering(kRelaxed, kRelaxed, true), all_but_one);
  EXPECT_EQ(store_buffering(kSeqCst, kSeqCst, false), all_but_one);
}

TEST(explorer, release_and_acquire_hand_a_message_over) {
  EXPECT_EQ(failure_of(message_passing(kRelease, kAcquire)), "");
}

TEST(explorer, a_message_without_release_or_without_acquire_is_a_data_race) {
  EXPECT_NE(failure_of(message_passing(kRelaxed, kAcquire)).find("data race"), std::string::npos);
  EXPECT_NE(failure_of(message_passing(kRelease, kRelaxed)).find("data race"), std::string::npos);
}

TEST(explorer, a_seq_cst_fence_alone_does_not_order_plain_fields) {
  EXPECT_NE(failure_of([] {
              SimSync::Plain<int> field;
              Crew crew;
              for (const char* name : {"a", "b"}) {
                crew.add(name, [&] {
                  SimSync::fence_seq_cst();
                  ++SimSync::write(field);
                  SimSync::fence_seq_cst();
                });
              }
            }).find("data race"),
            std::string::npos);
}

TEST(explorer, reads_of_one_variable_never_go_back) {
  const auto seen = outcomes_of([] {
    AtomicInt x;
    std::pair<int, int> reads;
    Crew crew;
    crew.add("writer", [&] {
      x.store(1, kRelaxed);
      x.store(2, kRelaxed);
    });
    crew.add("reader", [&] {
      reads.first = x.load(kRelaxed);
      reads.second = x.load(kRelaxed);
    });
    crew.join();
    return reads;
  });
  EXPECT_EQ(seen, (Outcomes{{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}}));
}

TEST(explorer, what_one_thread_read_is_not_older_for_the_thread_it_tells) {
  EXPECT_EQ(failure_of([] {
              AtomicInt x;
              AtomicInt told;
              Crew crew;
              crew.add("writer", [&] { x.store(1, kRelaxed); });
              crew.add("teller", [&] {
                if (x.load(kRelaxed) == 1) told.store(1, kRelease);
              });
              crew.add("told", [&] {
                if (told.load(kAcquire) == 1) expect(x.load(kRelaxed) == 1, "coherence");
              });
            }),
            "");
}

TEST(explorer, independent_readers_may_disagree_on_the_order_of_writes_unless_seq_cst) {
  const auto disagree = [](std::memory_order order) {
    return outcomes_of([order] {
      AtomicInt x;
      AtomicInt y;
      bool x_first = false;
      bool y_first = false;
      Crew crew;
      crew.add("x", [&] { x.store(1, order); });
      crew.add("y", [&] { y.store(1, order); });
      crew.add("reads x y", [&] { x_first = x.load(order) == 1 && y.load(order) == 0; });
      crew.add("reads y x", [&] { y_first = y.load(order) == 1 && x.load(order) == 0; });
      crew.join();
      return std::pair<int, int>(x_first, y_first);
    });
  };
  EXPECT_TRUE(disagree(kRelaxed).contains({1, 1}));
  EXPECT_FALSE(disagree(kSeqCst).contains({1, 1}));
}

TEST(explorer, read_modify_writes_never_lose_an_increment) {
  EXPECT_EQ(failure_of([] {
              AtomicInt x;
              Crew crew;
              for (const char* name : {"a", "b", "c"}) {
                crew.add(name, [&] {
                  x.fetch_add(1, kRelaxed);
                  int seen = x.load(kRelaxed);
                  while (!x.compare_exchange_weak(seen, seen + 1, kRelaxed)) {
                  }
                });
              }
              crew.join();
              expect(x.load(kRelaxed) == 6, "six increments");
            }),
            "");
}

TEST(explorer, a_lost_increment_is_found) {
  EXPECT_NE(failure_of([] {
              AtomicInt x;
              Crew crew;
              for (const char* name : {"a", "b"}) {
                crew.add(name, [&] { x.store(x.load() + 1); });
              }
              crew.join();
              expect(x.load() == 2, "two increments");
            }).find("two increments"),
            std::string::npos);
}

TEST(explorer, a_mutex_excludes_and_hands_over) {
  EXPECT_EQ(failure_of([] {
              SimSync::Mutex mutex;
              SimSync::Plain<int> field{0};
              Crew crew;
              for (const char* name : {"a", "b", "c"}) {
                crew.add(name, [&] {
                  mutex.lock();
                  ++SimSync::write(field);
                  mutex.unlock();
                });
              }
              crew.join();
              expect(SimSync::read(field) == 3, "three increments");
            }),
            "");
}

TEST(explorer, a_thread_that_nobody_wakes_is_a_deadlock_that_names_it) {
  const std::string failure = failure_of([] {
    SimSync::Parker parker;
    Crew crew;
    crew.add("sleeper", [&] { parker.park(); });
  });
  EXPECT_NE(failure.find("deadlock"), std::string::npos) << failure;
  EXPECT_NE(failure.find("'sleeper' in park"), std::string::npos) << failure;
}

TEST(explorer, a_loop_without_end_is_a_livelock) {
  EXPECT_NE(failure_of([] {
              AtomicInt never;
              while (never.load() == 0) SimSync::yield();
            }).find("livelock"),
            std::string::npos);
}

TEST(explorer, a_time_limit_that_is_the_only_way_on_is_counted_and_mostly_a_failure) {
  const auto scenario = [] {
    SimSync::Parker parker;
    bool token = true;
    Crew crew;
    crew.add("sleeper", [&] { token = parker.park_for(std::chrono::seconds(1)); });
    crew.join();
    expect(!token, "nobody gave a token");
    expect(SimSync::now() >= std::chrono::seconds(1), "the time has passed");
  };
  const Report report =
      explore({.schedules = 100, .schedule = {.timeouts_allowed = true}}, scenario);
  EXPECT_FALSE(report.failure);
  EXPECT_GT(report.rescues, 0U);
  EXPECT_LT(report.rescues, 100U) << "some limits pass early where that is allowed";
  EXPECT_NE(failure_of(scenario).find("only a time limit"), std::string::npos);
}

TEST(explorer, a_token_that_comes_keeps_the_time_limit_from_passing) {
  EXPECT_EQ(failure_of([] {
              SimSync::Parker parker;
              Crew crew;
              crew.add("sleeper",
                       [&] { expect(parker.park_for(std::chrono::nanoseconds(1)), "token"); });
              crew.add("waker", [&] { parker.unpark(); });
            }),
            "");
}

TEST(explorer, the_same_seed_is_the_same_schedule) {
  const auto racy = [] {
    AtomicInt x;
    Crew crew;
    for (const char* name : {"a", "b"}) {
      crew.add(name, [&] { x.store(x.load() + 1); });
    }
    crew.join();
    expect(x.load() == 2, "two increments");
  };
  const Report found = explore({.schedules = 4'000, .seed = 77}, racy);
  ASSERT_TRUE(found.failure);
  const Report replayed = explore({.schedules = 1, .seed = found.failure->seed}, racy);
  ASSERT_TRUE(replayed.failure);
  EXPECT_EQ(replayed.failure->sentence, found.failure->sentence);

  Schedule first;
  Schedule second;
  const auto calm = message_passing(kRelease, kAcquire);
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    ASSERT_TRUE(first.run(seed, {}, calm) && second.run(seed, {}, calm));
    ASSERT_EQ(first.fingerprint(), second.fingerprint());
    ASSERT_EQ(first.steps(), second.steps());
  }
}

TEST(explorer, a_failed_check_ends_the_schedule_and_not_the_process) {
  const std::string failure = failure_of([] { PENSTOCK_CHECK(1 + 1 == 3, "Sums are right."); });
  EXPECT_NE(failure.find("Sums are right."), std::string::npos) << failure;
}

}  // namespace
}  // namespace penstock::explorer
