#include "penstock/policy/policy.hpp"

#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <string_view>

#include "policy/views.hpp"

namespace penstock {
namespace {

using support::busy;
using support::OperatorView;
using support::pick;
using support::Views;

class EveryPolicy : public testing::TestWithParam<std::string_view> {};
INSTANTIATE_TEST_SUITE_P(All, EveryPolicy,
                         testing::ValuesIn(policy::names().begin(), policy::names().end()),
                         [](const auto& param_info) { return std::string(param_info.param); });

TEST_P(EveryPolicy, picks_nobody_where_there_are_no_operators) {
  EXPECT_EQ(pick(GetParam(), {}), policy::kNobody);
}

TEST_P(EveryPolicy, picks_nobody_where_nobody_could_work) {
  EXPECT_EQ(pick(GetParam(), {busy({.waiting = 5}), {.waiting = 0}, {.waiting = 5, .room = 0}}),
            policy::kNobody);
}

TEST_P(EveryPolicy, picks_the_only_one_that_could_work_whatever_its_numbers_are) {
  for (const double number : {0.0, 1.0, 1e300}) {
    const OperatorView able{.selectivity = number,
                            .cost = number,
                            .waiting = 1,
                            .window_time = number,
                            .last_run = number,
                            .oldest = number,
                            .read_rate = number,
                            .write_rate = number,
                            .made = 1'000'000};
    EXPECT_EQ(pick(GetParam(), {busy(able), {.selectivity = 0}, able, busy(able)}), 2) << number;
  }
}

TEST_P(EveryPolicy, runs_a_source_for_which_nothing_waits) {
  EXPECT_EQ(pick(GetParam(), {{.source = true}, {.waiting = 0}}), 0);
}

TEST_P(EveryPolicy, picks_one_that_could_work_even_if_all_numbers_are_equal) {
  const Views views(4, {.waiting = 1});
  const int place = pick(GetParam(), views);
  EXPECT_GE(place, 0);
  EXPECT_LT(place, 4);
}

TEST_P(EveryPolicy, is_found_in_any_letters) {
  std::string shouted(GetParam());
  for (char& c : shouted) c = static_cast<char>(std::toupper(c));
  EXPECT_EQ(policy::word_of(shouted), GetParam());
}

TEST(Policy, the_papers_abbreviations_are_names_too) {
  EXPECT_EQ(policy::word_of("LP"), "lastInPipeline");
  EXPECT_EQ(policy::word_of("qst"), "queueThrottling");
  EXPECT_EQ(policy::word_of("ET"), "estimatedTime");
  EXPECT_EQ(policy::word_of("ct"), "currentThroughput");
}

TEST(Policy, an_unknown_name_is_refused_with_those_that_are_known) {
  try {
    (void)policy::make("fastest", {});
    FAIL() << "no such policy";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "'fastest' is not a policy; there are lastInPipeline (LP), leastRecent, random, "
                 "maxQueue, minLatency, maxRunningTime, queueThrottling (QST), estimatedTime (ET), "
                 "currentThroughput (CT)");
  }
  EXPECT_THROW((void)policy::make("", {}), std::invalid_argument);
}

}  // namespace
}  // namespace penstock
