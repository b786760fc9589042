#include "penstock/region/circle.hpp"

#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/int_batch.hpp"

namespace penstock {
namespace {

using region::Channel;
using region::Circle;
using Rows = std::vector<std::int64_t>;

constexpr std::int64_t kMark = -1000;

// What left, with marks at their places.
class Emitted final : public graph::Output {
 public:
  void emit(tuple::Batch batch, int /*port*/) override {
    const auto made = support::read_column(std::move(batch));
    values.insert(values.end(), made.begin(), made.end());
  }
  void punctuate(int /*port*/) override { values.push_back(kMark); }
  [[nodiscard]] int ports() const override { return 1; }

  Rows values;
};

// Adds to each row all that came round so far.
class Adds : public graph::Operator {
 public:
  void process(const tuple::Tuple& tuple, int /*port*/, graph::Output& output) override {
    for (const auto value : support::read_column(tuple.batch)) {
      if (value == fails_at)
        throw graph::FailedAtRow(row, std::make_exception_ptr(std::runtime_error("no")));
      output.emit(support::make_int_batch({value + known}), 0);
    }
  }
  void control(const tuple::Tuple& tuple, int port) override {
    ports.push_back(port);
    for (const auto value : support::read_column(tuple.batch)) known += value;
  }

  std::int64_t known = 0;
  std::int64_t fails_at = kMark;
  std::int64_t row = 0;
  std::vector<int> ports;
};

// Keeps rows until a mark or the end, and gives their sum.
class Sums : public graph::Operator {
 public:
  void process(const tuple::Tuple& tuple, int /*port*/, graph::Output& /*output*/) override {
    for (const auto value : support::read_column(tuple.batch)) sum_ += value;
  }
  void punctuate(int /*port*/, graph::Output& output) override {
    finish(output);
    output.punctuate(0);
  }
  void finish(graph::Output& output) override {
    output.emit(support::make_int_batch({std::exchange(sum_, 0)}), 0);
  }

 private:
  std::int64_t sum_ = 0;
};

class Does final : public graph::Operator {
 public:
  using Function = std::function<void(std::int64_t, graph::Output&)>;
  explicit Does(Function function) : function_(std::move(function)) {}

  void process(const tuple::Tuple& tuple, int /*port*/, graph::Output& output) override {
    for (const auto value : support::read_column(tuple.batch)) function_(value, output);
  }

 private:
  Function function_;
};

std::unique_ptr<graph::Operator> only(std::function<bool(std::int64_t)> wanted) {
  return std::make_unique<Does>([wanted](std::int64_t value, graph::Output& output) {
    if (wanted(value)) output.emit(support::make_int_batch({value}), 0);
  });
}

template <typename... Bodies>
Circle::Members members(std::pair<const char*, Bodies>... bodies) {
  Circle::Members made;
  (made.push_back({.name = bodies.first, .body = std::move(bodies.second)}), ...);
  return made;
}

template <typename Body>
auto named(const char* name, std::unique_ptr<Body> body) {
  return std::pair<const char*, std::unique_ptr<graph::Operator>>(name, std::move(body));
}

Rows given(Circle& circle, const std::vector<Rows>& tuples) {
  Emitted output;
  for (const auto& rows : tuples) {
    circle.process({.batch = support::make_int_batch(rows), .origin = {}}, 0, output);
  }
  return output.values;
}

TEST(Circle, RowsLeaveAndMeetTheRowsBehindTheirTuple) {
  Circle circle(members(named("adds", std::make_unique<Adds>())), {});
  // Both rows of a tuple find the same; what they make comes back behind it.
  EXPECT_EQ(given(circle, {{1, 2}, {0}, {0}}), (Rows{1, 2, 3, 6}));
}

TEST(Circle, ATupleGoesThroughAllMembersBeforeAnythingGoesBack) {
  auto twice = std::make_unique<Does>([](std::int64_t value, graph::Output& output) {
    output.emit(support::make_int_batch({value}), 0);
    output.emit(support::make_int_batch({value}), 0);
  });
  Circle circle(members(named("adds", std::make_unique<Adds>()), named("twice", std::move(twice))),
                {});
  EXPECT_EQ(given(circle, {{1}, {0}, {0}}), (Rows{1, 1, 2, 2, 6, 6}));
}

TEST(Circle, AMarkBringsBackWhatAMemberKeptAndEndsThere) {
  auto adds = std::make_unique<Adds>();
  Adds& first = *adds;
  Circle circle(members(named("adds", std::move(adds)), named("sums", std::make_unique<Sums>())),
                {.out = {}, .back = {}, .control_port = 3});
  Emitted output;
  circle.process({.batch = support::make_int_batch({1, 2}), .origin = {}}, 0, output);
  EXPECT_EQ(first.known, 0);
  circle.punctuate(0, output);
  circle.process({.batch = support::make_int_batch({10}), .origin = {}}, 0, output);
  circle.punctuate(0, output);
  EXPECT_EQ(output.values, (Rows{3, kMark, 13, kMark}));
  EXPECT_EQ(first.known, 16);
  EXPECT_EQ(first.ports, (std::vector<int>{3, 3}));
}

TEST(Circle, RowsThatLeaveAndRowsThatGoBackMayDiffer) {
  auto adds = std::make_unique<Adds>();
  Adds& first = *adds;
  Circle circle(members(named("adds", std::move(adds))),
                {.out = members(named("out", only([](std::int64_t v) { return v % 2 == 0; }))),
                 .back = members(named("back", only([](std::int64_t v) { return v % 2 != 0; })))});
  EXPECT_EQ(given(circle, {{1, 2, 3}, {4}, {5}}), (Rows{2, 8}));
  EXPECT_EQ(first.known, 4 + 9);
}

TEST(Circle, MembersFinishInTheirOrder) {
  auto one = std::make_unique<Sums>();
  auto two = std::make_unique<Sums>();
  Circle circle(members(named("one", std::move(one)), named("two", std::move(two))), {});
  Emitted output;
  circle.process({.batch = support::make_int_batch({1, 2}), .origin = {}}, 0, output);
  circle.finish(output);
  EXPECT_EQ(output.values, Rows{3});
}

std::string failing_member(const std::function<void()>& call, std::int64_t row) {
  try {
    call();
  } catch (const graph::FailedAtRow& failed) {
    EXPECT_EQ(failed.row(), row);
    return failed.inner();
  }
  return "nobody";
}

TEST(Circle, AFailureAtARowLetsTheRowsBeforeItThrough) {
  auto adds = std::make_unique<Adds>();
  adds->fails_at = 7;
  adds->row = 1;
  Circle circle(
      members(named("adds", std::move(adds)), named("all", only([](auto) { return true; }))), {});
  Emitted output;
  const auto call = [&] {
    circle.process({.batch = support::make_int_batch({5, 7, 8}), .origin = {}}, 0, output);
  };
  EXPECT_EQ(failing_member(call, 1), "adds");
  EXPECT_EQ(output.values, Rows{5});
}

TEST(Circle, AFailureOfALaterMemberNamesItAndNoRow) {
  auto fails = std::make_unique<Adds>();
  fails->fails_at = 7;
  fails->row = 1;
  auto throws =
      std::make_unique<Does>([](std::int64_t, graph::Output&) { throw std::runtime_error("no"); });
  Circle at_row(members(named("adds", std::make_unique<Adds>()), named("fails", std::move(fails))),
                {});
  Circle plain(members(named("adds", std::make_unique<Adds>()), named("throws", std::move(throws))),
               {});
  constexpr auto kUnknown = graph::FailedAtRow::kUnknownRow;
  EXPECT_EQ(failing_member([&] { given(at_row, {{5, 7}}); }, kUnknown), "fails");
  EXPECT_EQ(failing_member([&] { given(plain, {{5, 7}}); }, kUnknown), "throws");
}

class Deaf final : public Adds {
 public:
  void control(const tuple::Tuple& /*tuple*/, int /*port*/) override {
    throw std::runtime_error("no");
  }
};

TEST(Circle, AFailureOverWhatCameRoundIsTheFirstMembers) {
  Circle circle(members(named("deaf", std::make_unique<Deaf>()),
                        named("all", only([](auto) { return true; }))),
                {});
  EXPECT_EQ(failing_member([&] { given(circle, {{5}}); }, graph::FailedAtRow::kUnknownRow), "deaf");
}

class Interrupts final : public Adds {
 public:
  void control(const tuple::Tuple& /*tuple*/, int /*port*/) override {
    throw graph::Interrupted(nullptr);
  }
};

TEST(Circle, AnInterruptStaysOne) {
  Circle circle(members(named("adds", std::make_unique<Interrupts>())), {});
  EXPECT_THROW(given(circle, {{5}}), graph::Interrupted);
}

// Gives a row in three slices, and wants no more than so many.
class Slow final : public graph::Operator {
 public:
  explicit Slow(int most) : left_(most) {}
  void process(const tuple::Tuple& /*tuple*/, int /*port*/, graph::Output& /*output*/) override {
    ++calls;
    slices_ = 3;
  }
  [[nodiscard]] bool paused() const noexcept override { return slices_ != 0; }
  void resume(graph::Output& output) override {
    if (--slices_ != 0) return;
    --left_;
    output.emit(support::make_int_batch({left_}), 0);
  }
  void finish(graph::Output& output) override { output.emit(support::make_int_batch({100}), 0); }
  [[nodiscard]] bool completed() const noexcept override { return left_ == 0; }

  int calls = 0;

 private:
  int left_;
  int slices_ = 0;
};

TEST(Circle, AMemberThatPausesGoesOn) {
  Circle circle(members(named("slow", std::make_unique<Slow>(9))), {});
  EXPECT_EQ(given(circle, {{5}, {5}}), (Rows{8, 7}));
  EXPECT_FALSE(circle.completed());
}

TEST(Circle, BeforeAMemberThatWantsNoMoreNobodyWorksAndThoseBehindItFinish) {
  auto before = std::make_unique<Slow>(9);
  Slow& first = *before;
  Circle circle(
      members(named("before", std::move(before)), named("ends", std::make_unique<Slow>(1)),
              named("sums", std::make_unique<Sums>())),
      {});
  EXPECT_EQ(given(circle, {{5}, {5}}), Rows{});
  EXPECT_EQ(first.calls, 1);
  EXPECT_FALSE(circle.completed());
  Emitted output;
  circle.finish(output);
  EXPECT_EQ(output.values, Rows{0});
}

TEST(Circle, IsCompleteWithItsLastMember) {
  Circle circle(
      members(named("adds", std::make_unique<Adds>()), named("ends", std::make_unique<Slow>(1))),
      {});
  EXPECT_EQ(given(circle, {{5}, {5}}), Rows{0});
  EXPECT_TRUE(circle.completed());
}

class InLane final : public Adds {
 public:
  [[nodiscard]] bool in_lane() const noexcept override { return true; }
};

TEST(Circle, IsInTheLaneIfAMemberIs) {
  EXPECT_FALSE(Circle(members(named("adds", std::make_unique<Adds>())), {}).in_lane());
  EXPECT_TRUE(Circle(members(named("adds", std::make_unique<Adds>()),
                             named("lane", std::make_unique<InLane>())),
                     {})
                  .in_lane());
}

}  // namespace
}  // namespace penstock
