// Where tuples are cut when nobody has said how long they shall be.

#include "penstock/elastic/tuple_length.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "penstock/engine/processing_element.hpp"
#include "penstock/ops/busy_work.hpp"

#include "support/int_stream.hpp"

namespace penstock {
namespace {

using elastic::TupleLength;
using engine::Options;
using engine::ProcessingElement;
using engine::Threading;
using graph::Kind;
using graph::kSink;
using graph::kSource;
using Values = std::vector<std::int64_t>;

constexpr std::int64_t kRows = 4 * TupleLength::kFirst;

// Passes everything on, and remembers how long the first tuple is: what the others are depends on
// how long that took.
class Measuring final : public graph::Operator {
 public:
  Measuring(bool row_by_row, std::atomic<std::int64_t>& first)
      : row_by_row_(row_by_row), first_(&first) {}

  void process(const tuple::Tuple& tuple, int /*port*/, graph::Output& output) override {
    if (tuple.origin.first == 0) first_->store(tuple.batch.rows());
    output.emit(tuple.batch, 0);
  }
  [[nodiscard]] bool row_by_row() const noexcept override { return row_by_row_; }

 private:
  bool row_by_row_;
  std::atomic<std::int64_t>* first_;
};

// How long the first tuple of a batch of kRows is, with two operators of which the second may mind.
std::int64_t first_tuple(const Options& options, bool second_minds = false) {
  std::atomic<std::int64_t> rows_of_first{0};
  graph::TopologyBuilder builder("cut");
  const int first =
      builder.add("first", Kind::kStateful, 1, 1, std::make_unique<Measuring>(true, rows_of_first));
  const int second = builder.add("second", Kind::kStateful, 1, 1,
                                 std::make_unique<Measuring>(!second_minds, rows_of_first));
  builder.connect(kSource, 0, first, 0);
  builder.connect(first, 0, second, 0);
  builder.connect(second, 0, kSink, 0);
  Values all(static_cast<std::size_t>(kRows));
  std::iota(all.begin(), all.end(), 0);
  ProcessingElement element(std::move(builder).build(), support::make_int_input({all}), options);
  Values made;
  while (auto batch = element.next()) {
    const auto rows = support::read_column(std::move(*batch));
    made.insert(made.end(), rows.begin(), rows.end());
  }
  EXPECT_EQ(made, all);
  return rows_of_first.load();
}

TEST(TupleLengthOfFlows, threads_share_a_batch_whose_cost_is_not_known_yet) {
  for (const auto threading : {Threading::kConveyor, Threading::kDynamic, Threading::kAutomatic}) {
    EXPECT_EQ(first_tuple({.threading = threading, .threads = 2}), TupleLength::kFirst);
  }
}

TEST(TupleLengthOfFlows, one_thread_has_nobody_to_share_a_batch_with) {
  EXPECT_EQ(first_tuple({.threading = Threading::kManual}), kRows);
  EXPECT_EQ(first_tuple({.threading = Threading::kConveyor, .threads = 1}), kRows);
}

TEST(TupleLengthOfFlows, an_operator_that_minds_gets_whole_batches) {
  EXPECT_EQ(first_tuple({.threading = Threading::kConveyor, .threads = 2}, true), kRows);
}

// Works for microseconds on each row, and remembers the shortest tuple.
class Laborious final : public graph::Operator {
 public:
  explicit Laborious(std::atomic<std::int64_t>& shortest) : shortest_(&shortest) {}

  void process(const tuple::Tuple& tuple, int /*port*/, graph::Output& output) override {
    const std::int64_t rows = tuple.batch.rows();
    for (std::int64_t row = 0; row < rows; ++row) worked_ = ops::BusyWork::work(worked_, 3'000);
    shortest_->store(std::min(shortest_->load(), rows));
    output.emit(tuple.batch, 0);
  }
  [[nodiscard]] bool row_by_row() const noexcept override { return true; }

 private:
  std::atomic<std::int64_t>* shortest_;
  std::uint64_t worked_ = 1;
};

TEST(TupleLengthOfFlows, rows_that_turn_out_to_cost_much_come_in_shorter_tuples) {
  for (const auto threading : {Threading::kConveyor, Threading::kDynamic}) {
    std::atomic<std::int64_t> shortest{kRows};
    graph::TopologyBuilder builder("slow");
    const int node =
        builder.add("slow", Kind::kStateful, 1, 1, std::make_unique<Laborious>(shortest));
    builder.connect(kSource, 0, node, 0);
    builder.connect(node, 0, kSink, 0);
    // More than there may be under way before the first is through.
    const std::vector<Values> batches(24, Values(static_cast<std::size_t>(TupleLength::kFirst)));
    ProcessingElement element(std::move(builder).build(), support::make_int_input(batches),
                              {.threading = threading, .threads = 2});
    while (element.next()) {
    }
    EXPECT_LT(shortest.load(), TupleLength::kFirst);
  }
}

TEST(TupleLengthOfFlows, what_is_asked_for_is_what_is_done) {
  const Options options{.rows_per_tuple = 3'000, .threading = Threading::kConveyor, .threads = 2};
  EXPECT_EQ(first_tuple(options), 3'000);
}

}  // namespace
}  // namespace penstock
