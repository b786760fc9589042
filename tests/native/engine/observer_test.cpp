#include "penstock/engine/observer.hpp"

#include <atomic>
#include <gtest/gtest.h>
#include <thread>

#include "penstock/engine/processing_element.hpp"

#include "support/chain.hpp"
#include "support/operators.hpp"

namespace penstock {
namespace {

using engine::FlowLine;
using engine::FlowMetrics;
using engine::Observer;
using engine::ProcessingElement;
using engine::Threading;
using support::all_models;
using support::count_rows;
using support::counted_batches;
using support::make_int_input;
using support::Model;
using support::named_chain;
using support::NamedOperator;

graph::Topology even_chain() {
  return named_chain(NamedOperator{"first", support::add(0)},
                     NamedOperator{"even", support::keep_even()},
                     NamedOperator{"last", support::add(1)});
}

class ObservedFlow : public testing::TestWithParam<Model> {};

INSTANTIATE_TEST_SUITE_P(Models, ObservedFlow, testing::ValuesIn(all_models()),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(ObservedFlow, counts_what_each_operator_was_given_and_made) {
  ProcessingElement element(even_chain(), make_int_input(counted_batches(70, 10)),
                            GetParam().with({.rows_per_tuple = 4, .observe = true}));
  EXPECT_EQ(count_rows(element), 350);
  const FlowMetrics metrics = *element.metrics();
  EXPECT_EQ(metrics.runs, 210);
  ASSERT_EQ(metrics.operators.size(), 3U);
  const std::vector<std::string> names{"first", "even", "last"};
  const std::vector<std::int64_t> rows{700, 700, 350, 350};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(metrics.operators[i].name, names[i]);
    EXPECT_EQ(metrics.operators[i].tuples, 210);
    EXPECT_EQ(metrics.operators[i].rows_in, rows[i]);
    EXPECT_EQ(metrics.operators[i].rows_out, rows[i + 1]);
    EXPECT_GT(metrics.operators[i].busy_ns, 0);
  }
  EXPECT_GE(metrics.under_way_most, 1);
}

TEST_P(ObservedFlow, no_worker_has_more_time_than_the_flow_took) {
  ProcessingElement element(even_chain(), make_int_input(counted_batches(50, 10)),
                            GetParam().with({.rows_per_tuple = 2, .observe = true}));
  (void)count_rows(element);
  element.close();
  const FlowMetrics metrics = *element.metrics();
  ASSERT_FALSE(metrics.workers.empty());
  EXPECT_EQ(metrics.workers.front().worker, 0);
  EXPECT_GT(metrics.workers.front().busy_ns, 0);
  for (const auto& worker : metrics.workers) {
    EXPECT_GE(worker.busy_ns, 0);
    EXPECT_GE(worker.blocked_ns, 0);
    EXPECT_LE(worker.busy_ns + worker.blocked_ns, metrics.elapsed_ns);
  }
  const auto again = *element.metrics();
  EXPECT_EQ(again.elapsed_ns, metrics.elapsed_ns) << "time goes on after the flow was closed";
}

TEST_P(ObservedFlow, shows_how_many_threads_may_be_at_work) {
  ProcessingElement element(even_chain(), make_int_input({{1}}),
                            GetParam().with({.observe = true}));
  EXPECT_TRUE(element.metrics()->levels.empty()) << "nothing runs before rows are asked for";
  EXPECT_TRUE(element.metrics()->workers.empty());
  (void)count_rows(element);
  const auto levels = element.metrics()->levels;
  ASSERT_EQ(levels.size(), 1U);
  EXPECT_EQ(levels[0].level,
            GetParam().threading == Threading::kDedicated ? 4 : GetParam().threads);
}

TEST_P(ObservedFlow, another_thread_may_ask_while_it_runs) {
  ProcessingElement element(even_chain(), make_int_input(counted_batches(200, 10)),
                            GetParam().with({.rows_per_tuple = 1, .observe = true}));
  std::atomic<bool> done = false;
  std::atomic<int> wrong = 0;
  std::thread reader([&] {
    std::int64_t tuples = 0;
    while (!done.load()) {
      const FlowMetrics metrics = *element.metrics();
      if (metrics.operators[2].tuples < tuples) ++wrong;
      tuples = metrics.operators[2].tuples;
    }
  });
  (void)count_rows(element);
  element.close();
  done = true;
  reader.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(element.metrics()->operators[0].tuples, 2000);
}

TEST_P(ObservedFlow, looking_for_the_row_that_failed_is_not_counted) {
  ProcessingElement element(named_chain(NamedOperator{"first", support::add(0)},
                                        NamedOperator{"picky", support::fail_at(5)}),
                            make_int_input({{1, 2, 3, 4, 5, 6, 7}}),
                            GetParam().with({.observe = true}));
  EXPECT_THROW((void)count_rows(element), engine::FlowStopped);
  const FlowMetrics metrics = *element.metrics();
  EXPECT_EQ(metrics.operators[0].tuples, 1);
  EXPECT_EQ(metrics.operators[1].rows_in, 7);
  EXPECT_EQ(metrics.operators[1].rows_out, 0);
}

TEST_P(ObservedFlow, nothing_is_kept_unless_it_is_asked_for) {
  ProcessingElement element(even_chain(), make_int_input({{1}}), GetParam().with({}));
  (void)count_rows(element);
  EXPECT_FALSE(element.metrics());
  EXPECT_EQ(element.trace_problem(), "");
}

TEST_P(ObservedFlow, waiting_for_the_input_is_not_being_busy) {
  ProcessingElement element(even_chain(), make_int_input({{1}, {2}, {3}}),
                            GetParam().with({.observe = true}));
  (void)count_rows(element);
  EXPECT_GT(element.metrics()->workers[0].blocked_ns, 0);
}

// Queues that are as long as their station's number.
class LongQueues final : public engine::ThreadingModel {
 public:
  [[nodiscard]] engine::FlowRun* try_admit() override { return nullptr; }
  void start(engine::FlowRun& /*run*/, bool /*more*/) override {}
  [[nodiscard]] engine::FlowRun* try_collect() override { return nullptr; }
  [[nodiscard]] bool under_way() const override { return false; }
  [[nodiscard]] std::size_t waiting_hint(int station) const override {
    return static_cast<std::size_t>(station + looks_);
  }
  void help(std::chrono::nanoseconds /*limit*/) override {}
  [[nodiscard]] int threads() const override { return 1; }
  void grow() { ++looks_; }

 private:
  int looks_ = 0;
};

TEST(Observer, looks_at_the_queues_now_and_then) {
  const auto topology = even_chain();
  const FlowLine line(topology);
  Observer observer(line, {});
  LongQueues model;
  for (int i = 0; i < 128; ++i) {
    if (i == 64) model.grow();
    observer.admitted({});
    observer.collected({}, model);
  }
  const auto metrics = observer.metrics();
  EXPECT_DOUBLE_EQ(metrics.operators[0].waiting_mean, 0.5);
  EXPECT_DOUBLE_EQ(metrics.operators[2].waiting_mean, 2.5);
  EXPECT_EQ(metrics.operators[2].waiting_most, 3);
}

TEST(Observer, counts_the_runs_under_way) {
  const auto topology = even_chain();
  const FlowLine line(topology);
  Observer observer(line, {});
  const LongQueues model;
  observer.admitted({});
  observer.admitted({});
  observer.collected({}, model);
  const auto metrics = observer.metrics();
  EXPECT_EQ(metrics.runs, 1);
  EXPECT_EQ(metrics.under_way_most, 2);
  EXPECT_DOUBLE_EQ(metrics.under_way_mean, 1.5);
}

TEST(Observer, counts_rows_over_time) {
  const auto topology = even_chain();
  const FlowLine line(topology);
  Observer observer(line, {});
  observer.enter();
  for (int i = 0; i < 1000; ++i) observer.came_through(3);
  observer.leave();
  const auto pace = observer.metrics().pace;
  ASSERT_FALSE(pace.empty());
  EXPECT_EQ(pace.front().rows, 3);
  EXPECT_LE(pace.back().rows, 3000);
}

TEST(Pace, thins_out_evenly_and_keeps_the_end) {
  engine::Pace pace;
  std::int64_t points = 0;
  for (std::int64_t ms = 0; ms < 60'000; ++ms) {
    if (!pace.wants(ms * 1'000'000)) continue;
    pace.add({.at_ns = ms * 1'000'000, .rows = ms});
    ++points;
  }
  EXPECT_GT(points, static_cast<std::int64_t>(engine::Pace::kMost));
  const auto& kept = pace.points();
  ASSERT_LE(kept.size(), engine::Pace::kMost);
  ASSERT_GE(kept.size(), engine::Pace::kMost / 4);
  EXPECT_GT(kept.back().rows, 59'000);
  for (std::size_t i = 1; i < kept.size(); ++i) {
    EXPECT_LT(kept[i - 1].at_ns, kept[i].at_ns);
    EXPECT_LE(kept[i].at_ns - kept[i - 1].at_ns, 1'000'000'000);
  }
}

TEST(Observer, keeps_each_change_of_level_once) {
  const auto topology = even_chain();
  const FlowLine line(topology);
  Observer observer(line, {});
  observer.enter();
  for (const int level : {1, 2, 2, 4, 1}) observer.level_is(level);
  observer.leave();
  std::vector<int> levels;
  std::int64_t last = 0;
  for (const auto& change : observer.metrics().levels) {
    EXPECT_GE(change.at_ns, last);
    last = change.at_ns;
    levels.push_back(change.level);
  }
  EXPECT_EQ(levels, (std::vector<int>{1, 2, 4, 1}));
}

TEST(Observer, adds_up_what_the_workers_did) {
  const auto topology = even_chain();
  const FlowLine line(topology);
  Observer observer(line, {.workers = 3});
  for (auto& log : observer.logs()) log.counts(0).count(1, 10, 8);
  EXPECT_EQ(observer.metrics().operators[0].rows_in, 30);
  EXPECT_EQ(observer.metrics().operators[0].rows_out, 24);
  EXPECT_EQ(observer.metrics().operators[1].tuples, 0);
}

}  // namespace
}  // namespace penstock
