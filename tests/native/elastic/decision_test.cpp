#include "penstock/elastic/decision.hpp"

#include <gtest/gtest.h>
#include <set>
#include <string>

#include "penstock/elastic/throughput.hpp"

namespace penstock {
namespace {

using elastic::Decision;
using elastic::name;
using elastic::Reason;
using elastic::to_text;

constexpr int kReasons = static_cast<int>(Reason::kLimitsChanged) + 1;

TEST(Decision, says_what_changed_and_which_numbers_led_to_it) {
  const Decision decision{.previous = 2,
                          .level = 4,
                          .reason = Reason::kRising,
                          .before = 190,
                          .other_level = 1,
                          .other_throughput = 100};
  EXPECT_EQ(to_text(decision),
            "2 -> 4 threads: throughput rose from 100 with 1 to 190 with 2, and more threads are "
            "untried");
}

TEST(Decision, says_that_nothing_changed) {
  const Decision decision{.previous = 1, .level = 1, .reason = Reason::kSettled, .before = 0.5};
  EXPECT_EQ(to_text(decision),
            "stay at 1 thread: throughput is 0.5 with 1, and no level above or below is better");
}

TEST(Decision, counts_large_numbers_in_thousands) {
  EXPECT_EQ(elastic::number(9999), "9999");
  EXPECT_EQ(elastic::number(77'630), "77.63 k");
  EXPECT_EQ(elastic::number(3'015'400), "3.015 M");
  EXPECT_EQ(elastic::number(2.5e9), "2.5 G");
}

TEST(Decision, has_its_own_word_and_sentence_for_every_reason) {
  std::set<std::string> words;
  std::set<std::string> sentences;
  for (int i = 0; i < kReasons; ++i) {
    const auto reason = static_cast<Reason>(i);
    words.emplace(name(reason));
    sentences.insert(to_text({.previous = 2, .level = 2, .reason = reason, .other_level = 3}));
  }
  EXPECT_EQ(words.size(), static_cast<std::size_t>(kReasons));
  EXPECT_EQ(sentences.size(), static_cast<std::size_t>(kReasons));
  EXPECT_EQ(words.count("unknown"), 0U);
}

}  // namespace
}  // namespace penstock
