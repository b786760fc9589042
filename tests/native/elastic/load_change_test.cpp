#include "penstock/elastic/load_change.hpp"

#include <gtest/gtest.h>
#include <stdexcept>

namespace penstock {
namespace {

using elastic::load_change_rule;
using elastic::LoadChange;
using elastic::LoadChangeDetector;
using elastic::LoadChangeRule;
using elastic::ThreadRecord;

constexpr ThreadRecord kHundred{
    .first_throughput = 100, .last_throughput = 100, .mean_throughput = 100, .samples = 1};

TEST(LoadChange, is_unknown_for_a_level_that_is_not_trusted) {
  LoadChangeDetector literal(LoadChangeRule::kLiteral, 0.05);
  EXPECT_EQ(literal.update(nullptr, 5), LoadChange::kNone);
}

TEST(LoadChange, is_certain_at_once_by_the_literal_rule) {
  LoadChangeDetector literal(LoadChangeRule::kLiteral, 0.05);
  EXPECT_EQ(literal.update(&kHundred, 105), LoadChange::kNone);
  EXPECT_EQ(literal.update(&kHundred, 105.1), LoadChange::kCertain);
  EXPECT_EQ(literal.update(&kHundred, 94.9), LoadChange::kCertain);
}

// S28: a fifth, and five periods more in a row.
TEST(LoadChange, is_certain_after_five_confirmations) {
  for (const double throughput : {121.0, 83.0}) {
    LoadChangeDetector confirmed(LoadChangeRule::kConfirmed, 0.05);
    for (int i = 0; i < LoadChangeDetector::kConfirmations; ++i) {
      EXPECT_EQ(confirmed.update(&kHundred, throughput), LoadChange::kPossible) << i;
    }
    EXPECT_EQ(confirmed.update(&kHundred, throughput), LoadChange::kCertain);
  }
}

TEST(LoadChange, is_not_confirmed_by_less_than_a_fifth) {
  LoadChangeDetector confirmed(LoadChangeRule::kConfirmed, 0.05);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(confirmed.update(&kHundred, 120), LoadChange::kNone);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(confirmed.update(&kHundred, 84), LoadChange::kNone);
}

TEST(LoadChange, starts_counting_again_after_a_usual_sample) {
  LoadChangeDetector confirmed(LoadChangeRule::kConfirmed, 0.05);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(confirmed.update(&kHundred, 130), LoadChange::kPossible);
  EXPECT_EQ(confirmed.update(&kHundred, 101), LoadChange::kNone);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(confirmed.update(&kHundred, 130), LoadChange::kPossible);
}

TEST(LoadChange, is_noise_when_samples_jump_both_ways) {
  LoadChangeDetector confirmed(LoadChangeRule::kConfirmed, 0.05);
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(confirmed.update(&kHundred, i % 2 == 0 ? 130 : 70), LoadChange::kPossible);
  }
}

TEST(LoadChange, starts_counting_again_when_samples_change_sides) {
  LoadChangeDetector confirmed(LoadChangeRule::kConfirmed, 0.05);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(confirmed.update(&kHundred, 130), LoadChange::kPossible);
  EXPECT_EQ(confirmed.update(&kHundred, 70), LoadChange::kPossible);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(confirmed.update(&kHundred, 130), LoadChange::kPossible);
  EXPECT_EQ(confirmed.update(&kHundred, 130), LoadChange::kCertain);
}

TEST(LoadChange, sees_a_stream_that_begins_to_flow) {
  const ThreadRecord idle{.samples = 1};
  LoadChangeDetector literal(LoadChangeRule::kLiteral, 0.05);
  EXPECT_EQ(literal.update(&idle, 0), LoadChange::kNone);
  EXPECT_EQ(literal.update(&idle, 1), LoadChange::kCertain);
}

TEST(LoadChange, knows_its_two_rules_by_name) {
  EXPECT_EQ(load_change_rule("literal"), LoadChangeRule::kLiteral);
  EXPECT_EQ(load_change_rule("confirmed"), LoadChangeRule::kConfirmed);
  try {
    (void)load_change_rule("sloppy");
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "load_change is 'sloppy'; it must be 'literal' or 'confirmed'");
  }
}

}  // namespace
}  // namespace penstock
