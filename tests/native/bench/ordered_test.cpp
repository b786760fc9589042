#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bench/ordered/measure.hpp"

namespace penstock::bench::ordered {
namespace {

void expect_correct(const Measured& measured, const Task& task) {
  EXPECT_EQ(measured.lost + measured.duplicated + measured.out_of_order, 0U);
  EXPECT_EQ(measured.checksum, measured.expected_checksum);
  EXPECT_EQ(measured.outputs, task.tuples * static_cast<std::uint64_t>(task.selectivity));
  EXPECT_TRUE(measured.correct());
}

using Case = std::tuple<Entry, Spread, int>;

class EveryOrderedContender : public testing::TestWithParam<Case> {};

TEST_P(EveryOrderedContender, gives_what_one_thread_gives_in_order) {
  const auto& [entry, spread, selectivity] = GetParam();
  for (const int workers : {1, 2, 3}) {
    const Task task{.tuples = 3'001,
                    .cost = 3,
                    .send_cost = 2,
                    .selectivity = selectivity,
                    .keys = {.spread = spread, .keys = 50}};
    expect_correct(measure(entry, task, {.workers = workers}), task);
  }
}

std::string name_of(const testing::TestParamInfo<Case>& info) {
  const auto& [entry, spread, selectivity] = info.param;
  return std::string(entry.name) + "_keys" + std::to_string(static_cast<int>(spread)) + "_times" +
         std::to_string(selectivity);
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const Entry& entry : contenders()) {
    for (const int selectivity : {0, 1, 50}) {
      if (entry.stateless) all.emplace_back(entry, Spread::kNone, selectivity);
      if (!entry.keyed) continue;
      for (const auto spread : {Spread::kUniform, Spread::kZipf, Spread::kGaussian}) {
        all.emplace_back(entry, spread, selectivity);
      }
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Tasks, EveryOrderedContender, testing::ValuesIn(cases()), name_of);

TEST(OrderedContenders, small_windows_and_queues_only_cost_time) {
  for (const Entry& entry : contenders()) {
    const Task task{.tuples = 2'000,
                    .keys = {.spread = entry.keyed ? Spread::kZipf : Spread::kNone, .keys = 10}};
    for (const std::size_t partitions : {0U, 1U, 7U}) {
      expect_correct(
          measure(entry, task,
                  {.workers = 2, .window = 2, .capacity = 2, .partitions = partitions, .burst = 1}),
          task);
    }
  }
}

TEST(OrderedContenders, a_timed_task_has_a_latency_for_each_tuple_and_another_has_none) {
  for (const Entry& entry : contenders()) {
    Task task{.tuples = 500, .keys = {.spread = entry.keyed ? Spread::kUniform : Spread::kNone}};
    const auto timed = measure(entry, task, {});
    ASSERT_TRUE(timed.latency_us.has_value()) << entry.name;
    EXPECT_GT(timed.latency_us->p50, 0) << entry.name;
    EXPECT_GE(timed.latency_us->p99, timed.latency_us->p50) << entry.name;
    task.timed = false;
    const auto untimed = measure(entry, task, {});
    EXPECT_FALSE(untimed.latency_us.has_value()) << entry.name;
    EXPECT_EQ(untimed.blocked_seconds, 0) << entry.name;
  }
}

TEST(OrderedContenders, tuples_before_the_clock_starts_do_not_count) {
  for (const Entry& entry : contenders()) {
    const Task task{.tuples = 6'000,
                    .warm = 1'000,
                    .keys = {.spread = entry.keyed ? Spread::kUniform : Spread::kNone}};
    const auto measured = measure(entry, task, {.window = 64});
    EXPECT_LE(measured.tuples, 5'000U) << entry.name;
    EXPECT_GT(measured.tuples, 0U) << entry.name;
    EXPECT_GT(measured.seconds, 0) << entry.name;
    expect_correct(measured, task);
  }
}

// What every measurement rests on: a contender that is wrong is found out.
enum class Wrong { kSwaps, kLoses, kDoubles, kSwapsInside };

template <Wrong kWrong>
class WrongContender final : public Contender {
 public:
  explicit WrongContender(Job& job) : job_(&job) {}

  Outcome run() override {
    std::vector<Item> items;
    for (std::uint64_t i = 0; i < job_->task().tuples; ++i) items.push_back(Job::tuple(i));
    if (kWrong == Wrong::kSwapsInside) std::swap(items[3], items[4]);
    for (Item& item : items) job_->work(item);
    if (kWrong == Wrong::kSwapsInside) std::swap(items[3], items[4]);
    if (kWrong == Wrong::kSwaps) std::swap(items[3], items[4]);
    if (kWrong == Wrong::kLoses) items.erase(items.begin() + 3);
    if (kWrong == Wrong::kDoubles) items.insert(items.begin() + 3, items[1]);
    for (const Item& item : items) job_->send(item);
    return {.worker_ns = 1};
  }

 private:
  Job* job_;
};

template <Wrong kWrong>
Measured run_wrong() {
  const Entry entry{.name = "wrong",
                    .stateless = false,
                    .keyed = true,
                    .make = [](Job& job, const Setup& /*setup*/) -> std::unique_ptr<Contender> {
                      return std::make_unique<WrongContender<kWrong>>(job);
                    }};
  return measure(entry, {.tuples = 10, .keys = {.spread = Spread::kUniform, .keys = 1}}, {});
}

TEST(OrderedContenders, swapped_lost_and_doubled_outputs_are_counted) {
  EXPECT_EQ(run_wrong<Wrong::kSwaps>().out_of_order, 1U);
  EXPECT_EQ(run_wrong<Wrong::kLoses>().lost, 1U);
  EXPECT_EQ(run_wrong<Wrong::kDoubles>().duplicated, 1U);
  EXPECT_FALSE(run_wrong<Wrong::kSwaps>().correct());
  EXPECT_FALSE(run_wrong<Wrong::kLoses>().correct());
  EXPECT_FALSE(run_wrong<Wrong::kDoubles>().correct());
}

TEST(OrderedContenders, a_key_that_saw_another_order_is_found_out) {
  const auto measured = run_wrong<Wrong::kSwapsInside>();
  EXPECT_EQ(measured.lost + measured.duplicated + measured.out_of_order, 0U);
  EXPECT_FALSE(measured.correct());
}

}  // namespace
}  // namespace penstock::bench::ordered
