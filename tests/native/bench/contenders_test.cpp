#include "bench/contenders/contenders.hpp"

#include <gtest/gtest.h>
#include <string>
#include <tuple>
#include <vector>

#include "bench/measure.hpp"

namespace penstock::bench {
namespace {

Measured run(const std::string& contender, const Task& task, const Setup& setup) {
  return measure(*find_contender(own_contenders(), contender), task, setup);
}

void expect_complete(const Measured& measured, const Task& task) {
  EXPECT_EQ(measured.tuples, task.tuples);
  EXPECT_EQ(measured.lost, 0U);
  EXPECT_EQ(measured.duplicated, 0U);
  EXPECT_EQ(measured.out_of_order, 0U);
}

using Case = std::tuple<ContenderEntry, Shape, int>;

class EveryContender : public testing::TestWithParam<Case> {};

TEST_P(EveryContender, computes_what_the_chain_computes_in_order) {
  const auto& [entry, shape, run_length] = GetParam();
  for (const auto interface : {Interface::kTuple, Interface::kBatch}) {
    for (const int threads : {1, 2, 3}) {
      const Task task{.shape = shape, .cost = 2, .interface = interface, .tuples = 1003};
      const auto expected = run("chain", task, {});
      const auto found =
          run(std::string(entry.name), task, {.threads = threads, .run_length = run_length});
      expect_complete(found, task);
      EXPECT_EQ(found.checksum, expected.checksum);
    }
  }
}

std::string name_of(const testing::TestParamInfo<Case>& info) {
  const auto& [entry, shape, run_length] = info.param;
  std::string name = std::string(entry.name) + "_" + std::to_string(shape.width) + "x" +
                     std::to_string(shape.depth) + "_run" + std::to_string(run_length);
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, EveryContender,
    testing::Combine(testing::ValuesIn(own_contenders().begin(), own_contenders().end()),
                     testing::Values(Shape{.depth = 7, .width = 1}, Shape{.depth = 1, .width = 7},
                                     Shape{.depth = 3, .width = 4},
                                     Shape{.depth = 1, .width = 300}),
                     testing::Values(1, 64, 100)),
    name_of);

TEST(Contenders, small_queues_and_windows_only_cost_time) {
  const Task task{.shape = {.depth = 20, .width = 2}, .tuples = 500};
  const auto expected = run("chain", task, {});
  for (const ContenderEntry& entry : own_contenders()) {
    const auto found = run(std::string(entry.name), task,
                           {.threads = 2, .run_length = 1, .window = 2, .capacity = 4});
    expect_complete(found, task);
    EXPECT_EQ(found.checksum, expected.checksum) << entry.name;
  }
}

TEST(Contenders, a_rate_gives_every_tuple_a_latency) {
  const Task task{.shape = {.depth = 5}, .tuples = 200, .rate = 1e6};
  for (const ContenderEntry& entry : own_contenders()) {
    const auto found = run(std::string(entry.name), task, {.threads = 2, .run_length = 64});
    expect_complete(found, task);
    ASSERT_TRUE(found.latency_us.has_value()) << entry.name;
    EXPECT_GT(found.latency_us->p50, 0) << entry.name;
    EXPECT_GE(found.latency_us->p99, found.latency_us->p50) << entry.name;
  }
}

// Takes as many tuples as are warm for ones of long ago.
class SlowAtFirst final : public Contender {
 public:
  static constexpr std::uint64_t kWarm = 100;
  static constexpr std::int64_t kLong = 1'000'000'000'000'000;  // nanoseconds

  explicit SlowAtFirst(Workload& workload) : workload_(&workload) {}

  void run() override {
    Source& source = workload_->source;
    while (!source.ended()) {
      if (source.due() == 0) source.wait();
      Item item;
      if (source.fill(&item, 1) == 0) continue;
      if (item.serial < kWarm) item.handed_over -= kLong;
      workload_->sink.take(item);
    }
  }

 private:
  Workload* workload_;
};

double p99_of_slow_at_first(std::uint64_t warm) {
  const ContenderEntry entry{
      .name = "slow at first",
      .make = [](Workload& workload, const Setup& /*setup*/) -> std::unique_ptr<Contender> {
        return std::make_unique<SlowAtFirst>(workload);
      }};
  return measure(entry, {.tuples = 1100, .warm = warm, .rate = 1e6}, {}).latency_us.value().p99;
}

TEST(Contenders, latencies_count_from_when_the_clock_starts) {
  constexpr double kHalf = 0.5e-3 * static_cast<double>(SlowAtFirst::kLong);
  EXPECT_LT(p99_of_slow_at_first(SlowAtFirst::kWarm), kHalf);
  EXPECT_GT(p99_of_slow_at_first(0), kHalf);
}

TEST(Contenders, the_paper_s_recursion_fits_its_stacks) {
  const Task task{.shape = {.depth = 1000}, .tuples = 3000};
  const auto found = run("as-printed", task, {.threads = 2, .capacity = 8});
  expect_complete(found, task);
}

// What every measurement rests on: a contender that is wrong is found out.
class WrongContender final : public Contender {
 public:
  enum class Wrong { kSwaps, kLoses, kDoubles, kSwapsInside };

  WrongContender(Workload& workload, Wrong wrong) : workload_(&workload), wrong_(wrong) {}

  void run() override {
    std::vector<Item> items(workload_->task.tuples);
    workload_->source.fill(items.data(), static_cast<int>(items.size()));
    if (wrong_ == Wrong::kSwapsInside) {
      // The operator sees two tuples in the wrong order, the sink does not.
      std::swap(items[3], items[4]);
      work(items);
      std::swap(items[3], items[4]);
    } else {
      work(items);
    }
    if (wrong_ == Wrong::kSwaps) std::swap(items[3], items[4]);
    if (wrong_ == Wrong::kLoses) items.erase(items.begin() + 3);
    if (wrong_ == Wrong::kDoubles) items.insert(items.begin() + 3, items[1]);
    for (const Item& item : items) workload_->sink.take(item);
  }

 private:
  void work(std::vector<Item>& items) {
    workload_->operators.front()->process_batch(
        {items.data(), static_cast<std::ptrdiff_t>(items.size()), 1});
  }

  Workload* workload_;
  Wrong wrong_;
};

template <WrongContender::Wrong kWrong>
Measured run_wrong(const Task& task) {
  const ContenderEntry entry{
      .name = "wrong",
      .make = [](Workload& workload, const Setup& /*setup*/) -> std::unique_ptr<Contender> {
        return std::make_unique<WrongContender>(workload, kWrong);
      }};
  return measure(entry, task, {});
}

TEST(Contenders, swapped_tuples_are_counted) {
  const auto found = run_wrong<WrongContender::Wrong::kSwaps>({.tuples = 10});
  EXPECT_EQ(found.out_of_order, 1U);
  EXPECT_EQ(found.lost + found.duplicated, 0U);
  EXPECT_EQ(found.tuples, 10U);
}

TEST(Contenders, a_lost_tuple_is_counted) {
  const auto found = run_wrong<WrongContender::Wrong::kLoses>({.tuples = 10});
  EXPECT_EQ(found.lost, 1U);
  EXPECT_EQ(found.out_of_order + found.duplicated, 0U);
  EXPECT_EQ(found.tuples, 9U);
}

TEST(Contenders, a_doubled_tuple_is_counted) {
  const auto found = run_wrong<WrongContender::Wrong::kDoubles>({.tuples = 10});
  EXPECT_EQ(found.duplicated, 1U);
  EXPECT_EQ(found.out_of_order + found.lost, 0U);
  EXPECT_EQ(found.tuples, 11U);
}

TEST(Contenders, an_operator_that_saw_another_order_changes_the_checksum) {
  const Task task{.tuples = 10};
  const auto found = run_wrong<WrongContender::Wrong::kSwapsInside>(task);
  expect_complete(found, task);
  EXPECT_NE(found.checksum, run("chain", task, {}).checksum);
}

}  // namespace
}  // namespace penstock::bench
