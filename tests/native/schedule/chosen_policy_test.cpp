#include "penstock/schedule/chosen_policy.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "penstock/base/sync.hpp"

namespace penstock {
namespace {

using policy::kNobody;
using schedule::PortState;
using Views = std::span<const policy::OperatorView>;

class Asked final : public policy::Policy {
 public:
  explicit Asked(std::function<int(Views)> answer) : answer_(std::move(answer)) {}
  [[nodiscard]] int pick(Views operators, double /*now*/) override { return answer_(operators); }

 private:
  std::function<int(Views)> answer_;
};

// Ports whose number of waiting runs is what the test says.
struct Ports {
  std::vector<std::size_t> waiting;
  std::vector<bool> hidden = std::vector<bool>(waiting.size());

  [[nodiscard]] bool covers(std::size_t port) const { return !hidden[port]; }
  [[nodiscard]] bool operator()(std::size_t port) const {
    return covers(port) && waiting[port] > 0;
  }
  [[nodiscard]] PortState state(std::size_t port) const {
    return {.waiting = waiting[port], .last = true};
  }
};

class ChosenPolicy : public testing::Test {
 protected:
  [[nodiscard]] schedule::ChosenPolicy<> asking(std::size_t ports,
                                                std::function<int(Views)> answer) {
    return {ports,
            {.name = "mine",
             .policy = std::make_unique<Asked>(std::move(answer)),
             .on_nonsense = [this](const std::string& problem) { problems_.push_back(problem); }}};
  }

  std::vector<std::string> problems_;
};

TEST_F(ChosenPolicy, the_port_that_the_policy_picks_is_taken) {
  auto chosen = asking(3, [](Views) { return 1; });
  EXPECT_EQ(chosen.take(Ports{{1, 1, 1}}), 1U);
  EXPECT_EQ(chosen.overruled(), 0U);
}

TEST_F(ChosenPolicy, it_is_not_asked_where_nothing_waits) {
  auto chosen = asking(2, [](Views) -> int { throw std::logic_error("asked"); });
  EXPECT_EQ(chosen.take(Ports{{0, 0}}), std::nullopt);
  EXPECT_TRUE(problems_.empty());
}

TEST_F(ChosenPolicy, ports_that_the_thread_may_not_take_are_seen_and_cannot_be_picked) {
  std::vector<bool> able;
  auto chosen = asking(2, [&](Views views) {
    EXPECT_EQ(views[1].waiting, 7);
    for (const auto& view : views) able.push_back(schedulable(view));
    return 1;
  });
  EXPECT_EQ(chosen.take(Ports{{1, 7}, {false, true}}), 0U);
  EXPECT_EQ(able, (std::vector{true, false}));
}

TEST_F(ChosenPolicy, where_it_picks_nobody_the_furthest_port_is_taken_and_that_is_counted) {
  auto chosen = asking(3, [](Views) { return kNobody; });
  EXPECT_EQ(chosen.take(Ports{{1, 1, 0}}), 1U);
  EXPECT_EQ(chosen.overruled(), 1U);
  EXPECT_TRUE(problems_.empty());
}

TEST_F(ChosenPolicy, where_it_picks_a_port_without_work_the_furthest_one_is_taken) {
  auto chosen = asking(3, [](Views) { return 2; });
  EXPECT_EQ(chosen.take(Ports{{1, 1, 0}}), 1U);
  EXPECT_EQ(chosen.overruled(), 1U);
}

TEST_F(ChosenPolicy, whoever_finds_it_being_asked_takes_the_furthest_port) {
  schedule::ChosenPolicy<>* self = nullptr;
  std::optional<std::size_t> other;
  auto chosen = asking(2, [&](Views) {
    other = self->take(Ports{{1, 1}});
    return 0;
  });
  self = &chosen;
  EXPECT_EQ(chosen.take(Ports{{1, 1}}), 0U);
  EXPECT_EQ(other, 1U);
}

TEST_F(ChosenPolicy, nonsense_is_told_once_with_the_policy_and_what_it_said) {
  int asked = 0;
  auto chosen = asking(3, [&](Views) {
    ++asked;
    return 3;
  });
  for (int i = 0; i < 5; ++i) EXPECT_EQ(chosen.take(Ports{{1, 1, 0}}), 1U);
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(problems_, (std::vector<std::string>{"policy 'mine' picked operator 3 of 3; it must be "
                                                 "0 to 2, or -1 where nobody can work"}));
}

TEST_F(ChosenPolicy, less_than_nobody_is_nonsense) {
  auto chosen = asking(1, [](Views) { return -2; });
  EXPECT_EQ(chosen.take(Ports{{1}}), 0U);
  ASSERT_EQ(problems_.size(), 1U);
  EXPECT_NE(problems_[0].find("picked operator -2 of 1"), std::string::npos);
}

TEST_F(ChosenPolicy, an_exception_is_told_like_nonsense) {
  auto chosen = asking(1, [](Views) -> int { throw std::runtime_error("no idea"); });
  EXPECT_EQ(chosen.take(Ports{{1}}), 0U);
  EXPECT_EQ(problems_, std::vector<std::string>{"policy 'mine' failed: no idea"});
}

// Time as the test says.
struct ManualSync : base::RealSync {
  static inline std::chrono::nanoseconds time{0};
  [[nodiscard]] static std::chrono::nanoseconds now() noexcept { return time; }
};

TEST(MeasuredPolicy, it_sees_what_was_measured_in_the_window) {
  using std::chrono::seconds;
  ManualSync::time = seconds(100);
  policy::OperatorView seen;
  schedule::ChosenPolicy<ManualSync> chosen(1, {.name = "mine",
                                                .policy = std::make_unique<Asked>([&](Views views) {
                                                  seen = views[0];
                                                  return 0;
                                                }),
                                                .window = seconds(10)});
  EXPECT_EQ(chosen.take(Ports{{1}}), 0U);
  ManualSync::time = seconds(102);
  chosen.on_begin(0);
  ManualSync::time = seconds(108);
  chosen.on_end(0, 3);
  EXPECT_EQ(chosen.take(Ports{{1}}), 0U);
  EXPECT_EQ(seen.last_run, 2);
  EXPECT_EQ(seen.window_time, 6);
  EXPECT_EQ(seen.cost, 2);
  EXPECT_EQ(seen.oldest, 0);
  ManualSync::time = seconds(110);
  EXPECT_EQ(chosen.take(Ports{{1}}), 0U);
  EXPECT_EQ(seen.window_time, 0) << "of a new window";
  EXPECT_EQ(seen.cost, 2);
}

}  // namespace
}  // namespace penstock
