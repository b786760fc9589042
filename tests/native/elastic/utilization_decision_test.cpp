#include "penstock/elastic/utilization_decision.hpp"

#include <gtest/gtest.h>
#include <set>
#include <string>

namespace penstock {
namespace {

using elastic::to_text;
using Reason = elastic::UtilizationReason;

constexpr int kReasons = static_cast<int>(Reason::kLimitsChanged) + 1;

TEST(UtilizationDecision, says_what_changed_and_which_numbers_led_to_it) {
  EXPECT_EQ(
      to_text({.previous = 1, .level = 2, .reason = Reason::kBusy, .before = 1, .other = 0.95}),
      "1 -> 2 threads: 1 thread was busy for 100 % of the time, above 95 %");
  EXPECT_EQ(
      to_text({.previous = 5,
               .level = 5,
               .reason = Reason::kBusyBelow,
               .before = 0.78,
               .other = 0.975}),
      "stay at 5 threads: 5 threads were busy for 78 % of the time, but one fewer would be for "
      "97.5 %");
}

TEST(UtilizationDecision, has_its_own_word_and_sentence_for_every_reason) {
  std::set<std::string> words;
  std::set<std::string> sentences;
  for (int i = 0; i < kReasons; ++i) {
    const auto reason = static_cast<Reason>(i);
    words.emplace(name(reason));
    sentences.insert(to_text({.previous = 2, .level = 2, .reason = reason}));
  }
  EXPECT_EQ(words.size(), static_cast<std::size_t>(kReasons));
  EXPECT_EQ(sentences.size(), static_cast<std::size_t>(kReasons));
  EXPECT_EQ(words.count("unknown"), 0U);
}

}  // namespace
}  // namespace penstock
