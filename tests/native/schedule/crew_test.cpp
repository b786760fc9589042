#include "penstock/schedule/crew.hpp"

#include <atomic>
#include <barrier>
#include <cerrno>
#include <gtest/gtest.h>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "penstock/base/sync.hpp"
#include "penstock/base/thread.hpp"
#include "penstock/schedule/carrier.hpp"
#include "penstock/schedule/doorbell.hpp"

namespace penstock {
namespace {

using schedule::Crew;
using schedule::Doorbell;

// Pieces of work that two threads must be at together: one thread alone would never come back.
class Duets {
 public:
  explicit Duets(Doorbell<>& doorbell) : doorbell_(&doorbell) {}

  [[nodiscard]] int* try_take() {
    int seen = waiting_.load();
    while (seen > 0) {
      if (waiting_.compare_exchange_weak(seen, seen - 1)) return &dummy_;
    }
    return nullptr;
  }
  void carry(int* /*work*/) {
    together_.arrive_and_wait();
    if (++done_ == wanted_.load()) doorbell_->ring_feeder();
  }
  [[nodiscard]] bool collectable() const { return done_.load() == wanted_.load(); }

  void add_duet() {
    wanted_ += 2;
    waiting_ += 2;
    doorbell_->ring_worker();
    doorbell_->ring_worker();
  }

  void wait_until_done() {
    while (!collectable()) {
      (void)doorbell_->feeder_sleep([]() -> int* { return nullptr; },
                                    [this] { return collectable(); });
    }
  }

  [[nodiscard]] int done() const { return done_.load(); }

 private:
  Doorbell<>* doorbell_;
  std::barrier<> together_{2};
  std::atomic<int> waiting_{0};
  std::atomic<int> wanted_{0};
  std::atomic<int> done_{0};
  int dummy_ = 0;
};

static_assert(schedule::Carrier<Duets>);

TEST(Crew, as_many_threads_work_at_the_same_time_as_the_level_says) {
  Doorbell<> doorbell;
  Duets duets(doorbell);
  Crew<Duets> crew("test", duets, doorbell);
  crew.set_level(2);
  EXPECT_EQ(crew.level(), 2);
  for (int i = 0; i < 100; ++i) duets.add_duet();
  duets.wait_until_done();
  EXPECT_EQ(duets.done(), 200);
}

// A system that gives two threads and no more, for as long as it says so.
struct MeanSync : base::RealSync {
  class Thread : public base::Thread {
   public:
    Thread() = default;
    template <typename Body>
    Thread(base::ThreadOptions options, Body body)
        : base::Thread((refuse(), std::move(options)), std::move(body)) {}

   private:
    static void refuse() {
      if (left-- <= 0) throw std::system_error(EAGAIN, std::generic_category(), "no thread");
    }
  };

  static inline int left = 2;
};

TEST(Crew, has_fewer_threads_where_no_more_are_to_be_had_and_more_when_they_are) {
  MeanSync::left = 2;
  Doorbell<MeanSync> doorbell;
  struct Nothing {
    [[nodiscard]] static int* try_take() { return nullptr; }
    static void carry(int* /*work*/) {}
    [[nodiscard]] static bool collectable() { return false; }
  } nothing;
  Crew<Nothing, MeanSync> crew("test", nothing, doorbell);
  crew.set_level(1);
  EXPECT_EQ(crew.refusal(), "");
  crew.set_level(5);
  EXPECT_EQ(crew.level(), 2);
  EXPECT_NE(crew.refusal().find("no thread"), std::string::npos);
  MeanSync::left = 1;
  crew.set_level(3);
  EXPECT_EQ(crew.level(), 3);
}

TEST(Crew, threads_that_were_suspended_come_back) {
  Doorbell<> doorbell;
  Duets duets(doorbell);
  Crew<Duets> crew("test", duets, doorbell);
  for (int i = 0; i < 20; ++i) {
    crew.set_level(0);
    duets.add_duet();
    crew.set_level(2);
    duets.wait_until_done();
  }
  EXPECT_EQ(duets.done(), 40);
}

TEST(Crew, no_thread_exists_before_it_is_needed) {
  Doorbell<> doorbell;
  Duets duets(doorbell);
  std::atomic<int> started = 0;
  Crew<Duets> crew("test", duets, doorbell, {.on_start = [&](int) { ++started; }, .on_finish = {}});
  crew.set_level(0);
  crew.stop();
  EXPECT_EQ(started, 0);
}

TEST(Crew, every_thread_runs_the_hooks_once_around_its_work) {
  Doorbell<> doorbell;
  Duets duets(doorbell);
  std::atomic<int> started = 0;
  std::atomic<int> finished = 0;
  Crew<Duets> crew("test", duets, doorbell,
                   {.on_start = [&](int) { ++started; }, .on_finish = [&] { ++finished; }});
  crew.set_level(2);
  crew.set_level(1);
  crew.set_level(3);
  duets.add_duet();
  duets.wait_until_done();
  EXPECT_GE(started, 2);
  EXPECT_EQ(finished, 0);
  crew.stop();
  EXPECT_EQ(started, 3);
  EXPECT_EQ(finished, 3);
}

TEST(Crew, each_thread_has_a_number_and_a_meter_of_its_own) {
  Doorbell<> doorbell;
  Duets duets(doorbell);
  std::vector<schedule::WorkerMeter<>> meters(3);
  std::atomic<int> numbers = 0;
  Crew<Duets> crew("test", duets, doorbell,
                   {.on_start = [&](int worker) { numbers += worker * worker; }, .meters = meters});
  crew.set_level(2);
  for (int i = 0; i < 10; ++i) duets.add_duet();
  duets.wait_until_done();
  crew.stop();
  EXPECT_EQ(numbers, 1 + 4);
  const auto now = base::RealSync::now();
  EXPECT_FALSE(meters[0].read(now).started)
      << "the feeder is measured by whoever knows when it began";
  EXPECT_EQ(meters[0].read(now).pieces + meters[1].read(now).pieces + meters[2].read(now).pieces,
            20);
  for (const int worker : {1, 2}) {
    EXPECT_TRUE(meters[static_cast<std::size_t>(worker)].read(now).started);
    EXPECT_EQ(meters[static_cast<std::size_t>(worker)].read(now).pieces, 10) << "it takes two";
  }
}

TEST(Crew, stopping_twice_is_the_same_as_once) {
  Doorbell<> doorbell;
  Duets duets(doorbell);
  Crew<Duets> crew("test", duets, doorbell);
  crew.set_level(3);
  crew.stop();
  crew.stop();
}

// Work that comes back only when it is let go.
class Stuck {
 public:
  explicit Stuck(int pieces) : waiting_(pieces) {}

  [[nodiscard]] int* try_take() { return waiting_.fetch_sub(1) > 0 ? &dummy_ : nullptr; }
  void carry(int* /*work*/) {
    ++inside_;
    inside_.notify_all();
    go_.wait(false);
  }
  [[nodiscard]] bool collectable() const { return false; }

  void wait_until_inside(int threads) {
    for (int seen = inside_.load(); seen != threads; seen = inside_.load()) inside_.wait(seen);
  }
  void let_go() {
    go_.store(true);
    go_.notify_all();
  }

 private:
  std::atomic<int> waiting_;
  std::atomic<int> inside_{0};
  std::atomic<bool> go_{false};
  int dummy_ = 0;
};

TEST(Crew, tells_of_threads_that_an_operator_does_not_give_back) {
  Doorbell<> doorbell;
  Stuck stuck(1);
  Crew<Stuck> crew("test", stuck, doorbell);
  EXPECT_EQ(crew.at_work(), 0);
  crew.set_level(2);
  stuck.wait_until_inside(1);
  EXPECT_EQ(crew.at_work(), 1);
  EXPECT_EQ(crew.level_with_late_ones(), 2) << "nobody was told to leave";
  crew.set_level(0);
  EXPECT_GE(crew.level_with_late_ones(), 1);
  crew.set_level(2);
  EXPECT_EQ(crew.level_with_late_ones(), 2);
  stuck.let_go();
  crew.stop();
  EXPECT_EQ(crew.at_work(), 0);
}

TEST(LendAHand, the_feeder_carries_what_is_ready) {
  Doorbell<> doorbell;
  Duets duets(doorbell);
  duets.add_duet();
  std::thread partner([&] { schedule::lend_a_hand(duets, doorbell); });
  schedule::lend_a_hand(duets, doorbell);
  partner.join();
  EXPECT_EQ(duets.done(), 2);
}

TEST(LendAHand, the_feeder_does_not_sleep_over_something_to_collect) {
  Doorbell<> doorbell;
  Duets duets(doorbell);
  schedule::lend_a_hand(duets, doorbell);
  EXPECT_TRUE(duets.collectable());
}

}  // namespace
}  // namespace penstock
