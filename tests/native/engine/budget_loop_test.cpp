#include "penstock/engine/budget_loop.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <optional>
#include <vector>

namespace penstock {
namespace {

using budget::Allowance;
using engine::BudgetLoop;

// Cores of which the test takes some away; what was written down is kept in order.
class Purse final : public Allowance {
 public:
  [[nodiscard]] int guaranteed() const override { return 1; }
  [[nodiscard]] Standing look(const Demand& demand) override {
    wanted = demand.wanted;
    const int share = std::max(1, std::min(demand.wanted, free));
    const int possible = std::max(1, std::min(demand.most, free));
    return {.share = share, .possible = possible, .tasks = 5 - free, .cores = 4};
  }
  [[nodiscard]] int raise(int threads) override {
    in_use = std::max(in_use, std::min(threads, grants));
    return in_use;
  }
  void lower(int threads) override { in_use = threads; }
  void insist(int threads) override { in_use = threads; }
  void leave() noexcept override {}

  int free = 4;
  int grants = 4;
  int wanted = 0;
  int in_use = 1;
};

class Threads final : public engine::Levers {
 public:
  void adopt(elastic::Plan plan) override { wanted_ = plan; }
  [[nodiscard]] elastic::Plan plan() const override { return wanted_; }
  [[nodiscard]] int threads() const override { return now; }
  [[nodiscard]] int threads_with_late_ones() const override { return std::max(now, late); }
  void set(int threads) {
    adopt({.threads = threads});
    now = threads;
  }

  int now = 1;
  int late = 0;

 private:
  elastic::Plan wanted_;
};

class BudgetLoopTest : public testing::Test {
 protected:
  // Two looks, as what became free must still be free at the next one.
  std::optional<BudgetLoop::Change> look(BudgetLoop& loop, bool settled = false) {
    if (auto first = loop.look(threads_, {.settled = settled})) return first;
    return loop.look(threads_, {.settled = settled});
  }

  Purse purse_;
  Threads threads_;
};

TEST_F(BudgetLoopTest, begins_with_what_was_granted_where_nobody_chooses) {
  purse_.grants = 3;
  BudgetLoop loop(purse_, 4, false);
  EXPECT_EQ(loop.begin(), 3);
  EXPECT_EQ(purse_.in_use, 3);
}

TEST_F(BudgetLoopTest, begins_with_one_where_somebody_chooses_among_what_is_possible) {
  purse_.free = 3;
  BudgetLoop loop(purse_, 4, true);
  EXPECT_EQ(loop.begin(), 1);
  EXPECT_EQ(loop.limit(), 3);
  EXPECT_EQ(purse_.in_use, 1) << "nothing is written down that is not used";
}

TEST_F(BudgetLoopTest, gives_up_at_once_and_writes_it_down_when_the_threads_are_gone) {
  BudgetLoop loop(purse_, 4, false);
  threads_.set(loop.begin());
  purse_.free = 2;
  const auto change = loop.look(threads_, {});
  ASSERT_TRUE(change);
  EXPECT_EQ(change->threads, 2);
  EXPECT_EQ(change->why, "3 tasks share 4 cores");
  threads_.adopt({.threads = 2});
  loop.note_gone(threads_);
  EXPECT_EQ(purse_.in_use, 4) << "the threads are still there";
  threads_.now = 2;
  threads_.late = 3;
  loop.note_gone(threads_);
  EXPECT_EQ(purse_.in_use, 3) << "one does not come back from its operator";
  threads_.late = 0;
  loop.note_gone(threads_);
  EXPECT_EQ(purse_.in_use, 2);
}

TEST_F(BudgetLoopTest, does_not_write_down_fewer_than_a_plan_may_still_bring) {
  BudgetLoop loop(purse_, 4, false);
  threads_.adopt({.threads = loop.begin()});
  threads_.now = 1;
  loop.note_gone(threads_);
  EXPECT_EQ(purse_.in_use, 4);
}

TEST_F(BudgetLoopTest, takes_what_became_free_if_it_is_still_free_at_the_next_look) {
  purse_.free = 1;
  BudgetLoop loop(purse_, 4, true);
  threads_.set(loop.begin());
  EXPECT_FALSE(look(loop));
  purse_.free = 2;
  EXPECT_FALSE(loop.look(threads_, {})) << "the next task of Spark may come";
  purse_.free = 1;
  EXPECT_FALSE(loop.look(threads_, {}));
  purse_.free = 4;
  EXPECT_FALSE(loop.look(threads_, {}));
  const auto change = loop.look(threads_, {});
  ASSERT_TRUE(change);
  EXPECT_EQ(change->threads, 4);
  EXPECT_TRUE(change->more);
  EXPECT_TRUE(change->at_once);
  EXPECT_EQ(change->why, "1 task has 4 cores");
  EXPECT_EQ(purse_.in_use, 4) << "before the threads are there";
}

TEST_F(BudgetLoopTest, takes_nothing_that_was_not_granted) {
  purse_.free = 1;
  BudgetLoop loop(purse_, 4, true);
  threads_.set(loop.begin());
  purse_.free = 4;
  purse_.grants = 1;
  EXPECT_FALSE(look(loop));
  EXPECT_FALSE(look(loop));
  purse_.grants = 3;
  const auto change = look(loop);
  ASSERT_TRUE(change);
  EXPECT_EQ(change->threads, 3);
}

TEST_F(BudgetLoopTest, wants_no_more_than_it_settled_on) {
  BudgetLoop loop(purse_, 4, true);
  threads_.set(loop.begin());
  EXPECT_FALSE(look(loop));
  EXPECT_EQ(purse_.wanted, 4) << "it is still looking for the best number";
  EXPECT_FALSE(look(loop, true));
  EXPECT_EQ(purse_.wanted, 1);
}

TEST_F(BudgetLoopTest, looks_for_more_in_its_own_time_where_fewer_than_possible_were_chosen) {
  purse_.free = 2;
  BudgetLoop loop(purse_, 4, true);
  threads_.set(loop.begin());
  EXPECT_FALSE(look(loop, true));
  purse_.free = 3;
  const auto change = look(loop, true);
  ASSERT_TRUE(change);
  EXPECT_EQ(change->threads, 3);
  EXPECT_FALSE(change->at_once);
  EXPECT_EQ(purse_.in_use, 1);
  EXPECT_FALSE(look(loop, true)) << "it has tried what there is";
}

TEST_F(BudgetLoopTest, tries_more_at_once_if_it_never_could_before_others_came) {
  BudgetLoop loop(purse_, 4, true);
  threads_.set(loop.begin());
  purse_.free = 1;
  const auto less = loop.look(threads_, {});
  ASSERT_TRUE(less);
  EXPECT_EQ(less->threads, 1);
  purse_.free = 4;
  const auto more = look(loop);
  ASSERT_TRUE(more);
  EXPECT_TRUE(more->at_once);
}

TEST_F(BudgetLoopTest, is_asked_before_threads_are_added) {
  BudgetLoop loop(purse_, 4, true);
  threads_.set(loop.begin());
  EXPECT_EQ(loop.ask(2), 2);
  EXPECT_EQ(purse_.in_use, 2);
  purse_.grants = 3;
  EXPECT_EQ(loop.ask(4), 3);
  EXPECT_EQ(loop.limit(), 3);
}

TEST_F(BudgetLoopTest, keeps_below_what_somebody_else_asks_for) {
  BudgetLoop loop(purse_, 4, true);
  threads_.set(loop.begin());
  loop.set_most(2);
  EXPECT_EQ(loop.limit(), 2);
  EXPECT_FALSE(look(loop));
  EXPECT_EQ(purse_.wanted, 2);
}

}  // namespace
}  // namespace penstock
