#include "penstock/schedule/fixed_or_chosen.hpp"

#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "penstock/policy/policy.hpp"

namespace penstock::schedule {
namespace {

// What carries out a policy, in a word.
std::string carried_out_by(std::string_view policy, bool users_own = false) {
  return with_port_policy(policy, users_own, []<typename Policy>(std::type_identity<Policy>) {
    if (std::is_same_v<Policy, FurthestFirst<>>) return "set";
    return std::is_same_v<Policy, LeastRecentFirst<>> ? "list" : "chosen";
  });
}

TEST(FixedOrChosen, only_the_first_two_policies_have_sets_of_their_own) {
  for (const auto policy : policy::names()) {
    const std::string wanted = policy == "lastInPipeline" ? "set"
                               : policy == "leastRecent"  ? "list"
                                                          : "chosen";
    EXPECT_EQ(carried_out_by(policy), wanted) << policy;
  }
}

TEST(FixedOrChosen, an_abbreviation_is_carried_out_as_its_policy) {
  EXPECT_EQ(carried_out_by("LP"), "set");
  EXPECT_EQ(carried_out_by("qst"), "chosen");
  EXPECT_THROW((void)carried_out_by("best"), std::invalid_argument);
}

TEST(FixedOrChosen, a_users_policy_is_asked_whatever_its_name) {
  EXPECT_EQ(carried_out_by("lastInPipeline", true), "chosen");
  EXPECT_EQ(carried_out_by("mine.so:best", true), "chosen");
}

}  // namespace
}  // namespace penstock::schedule
