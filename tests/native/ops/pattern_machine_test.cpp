#include "penstock/ops/pattern_machine.hpp"

#include <gtest/gtest.h>
#include <stdexcept>
#include <string>

namespace penstock {
namespace {

using ops::PatternMachine;
using ops::PatternStep;

// Whether a machine accepts words of one letter a row; 'a' is the first predicate.
bool accepts(const std::vector<PatternStep>& steps, const std::string& word) {
  const PatternMachine machine(steps);
  const auto positions = [&](char letter) {
    return machine.positions(letter < 'a' ? 0 : std::uint64_t{1} << (letter - 'a'));
  };
  auto state = machine.begin(positions(word[0]));
  for (const char letter : word.substr(1)) state = machine.step(state, positions(letter));
  return machine.accepts(state);
}

TEST(PatternMachine, skips_other_rows_unless_a_step_is_strict) {
  const std::vector<PatternStep> relaxed{{.predicate = 0}, {.predicate = 1}};
  const std::vector<PatternStep> strict{{.predicate = 0}, {.predicate = 1, .strict = true}};
  EXPECT_TRUE(accepts(relaxed, "a..b"));
  EXPECT_TRUE(accepts(relaxed, "ab"));
  EXPECT_FALSE(accepts(relaxed, "a.."));
  EXPECT_TRUE(accepts(strict, "ab"));
  EXPECT_FALSE(accepts(strict, "a.b"));
}

TEST(PatternMachine, tries_again_what_a_strict_step_did_not_follow) {
  const std::vector<PatternStep> steps{
      {.predicate = 0}, {.predicate = 1}, {.predicate = 2, .strict = true}};
  EXPECT_TRUE(accepts(steps, "ab.bc"));
  EXPECT_FALSE(accepts(steps, "ab.c"));
}

TEST(PatternMachine, counts) {
  const std::vector<PatternStep> steps{{.predicate = 0, .least = 2, .most = 3},
                                       {.predicate = 1, .strict = true}};
  EXPECT_FALSE(accepts(steps, "ab"));
  EXPECT_TRUE(accepts(steps, "aab"));
  EXPECT_TRUE(accepts(steps, "a.ab"));
  EXPECT_TRUE(accepts(steps, "aaab"));
  EXPECT_TRUE(accepts(steps, "aaaaaab")) << "one that it need not take is skipped";
  const std::vector<PatternStep> any{{.predicate = 0, .least = 2, .most = PatternStep::kAny}};
  EXPECT_FALSE(accepts(any, "a"));
  EXPECT_TRUE(accepts(any, "aaaaa"));
  EXPECT_FALSE(accepts(any, "aaaa."));
}

TEST(PatternMachine, is_dead_when_nothing_can_follow) {
  const PatternMachine machine({{.predicate = 0}, {.predicate = 1, .strict = true}});
  EXPECT_TRUE(machine.begin(machine.positions(2)).is_dead());
  EXPECT_TRUE(machine.step(machine.begin(machine.positions(1)), 0).is_dead());
}

TEST(PatternMachine, has_room_for_64_rows) {
  EXPECT_NO_THROW(PatternMachine({{.predicate = 0, .least = 60, .most = 63}, {.predicate = 1}}));
  EXPECT_THROW(PatternMachine({{.predicate = 0, .least = 60, .most = 64}, {.predicate = 1}}),
               std::invalid_argument);
  EXPECT_THROW(PatternMachine({{.predicate = 0, .least = 0}}), std::invalid_argument);
  EXPECT_THROW(PatternMachine({{.predicate = 0, .least = 3, .most = 2}}), std::invalid_argument);
  std::string word(64, 'a');
  word.back() = 'b';
  EXPECT_TRUE(accepts({{.predicate = 0, .least = 63, .most = 63}, {.predicate = 1}}, word));
}

}  // namespace
}  // namespace penstock
