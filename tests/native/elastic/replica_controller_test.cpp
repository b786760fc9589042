#include "penstock/elastic/replica_controller.hpp"

#include <gtest/gtest.h>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace penstock {
namespace {

using elastic::Candidate;
using elastic::ReplicaController;
using elastic::to_text;
using Reason = elastic::ReplicaReason;

std::vector<Candidate> only(double blocked) { return {{.name = "a", .inputs = {blocked}}}; }

std::vector<Candidate> chain(double a, double b) {
  return {{.name = "a", .inputs = {a}, .outputs = {b}}, {.name = "b", .inputs = {b}}};
}

TEST(ReplicaController, adds_one_replica_a_period_to_the_bottleneck) {
  ReplicaController controller({});
  const auto decision = controller.update(only(0.5), 100);
  EXPECT_EQ(std::pair(decision.previous, decision.replicas), std::pair(1, 2));
  EXPECT_EQ(to_text(decision),
            "operator 'a': 1 -> 2 replicas: its input was blocked for 50 % of the time");
  EXPECT_FALSE(controller.settled());
  EXPECT_EQ(controller.update(only(0.3), 200).replicas, 3);
  EXPECT_EQ(controller.update(only(0.0), 250).reason, Reason::kNoBottleneck);
  EXPECT_EQ(controller.replicas("a"), 3);
  EXPECT_TRUE(controller.settled());
  EXPECT_DOUBLE_EQ(controller.decisions().front().after.value(), 200);
}

// A40: the paper would add for ever.
TEST(ReplicaController, takes_back_a_replica_that_brings_nothing) {
  ReplicaController controller({});
  controller.update(only(0.5), 100);
  const auto decision = controller.update(only(0.5), 101);
  EXPECT_EQ(decision.reason, Reason::kNoGain);
  EXPECT_EQ(controller.replicas("a"), 1);
  for (int i = 0; i < 11; ++i) {
    EXPECT_EQ(controller.update(only(0.5), 100).reason, Reason::kBarred);
  }
  EXPECT_EQ(controller.update(only(0.5), 100).replicas, 2) << "that was long ago";
}

TEST(ReplicaController, tries_again_under_another_load) {
  ReplicaController controller({.age = 0});
  controller.update(only(0.5), 100);
  controller.update(only(0.5), 100);
  for (int i = 0; i < 100; ++i) controller.update(only(0.5), 100);
  EXPECT_EQ(controller.replicas("a"), 1);
  EXPECT_EQ(controller.update(only(0.5), 130).replicas, 2);
}

TEST(ReplicaController, keeps_a_replica_that_moved_the_bottleneck_on) {
  ReplicaController controller({});
  EXPECT_EQ(controller.update(chain(0.5, 0), 100).name, "a");
  EXPECT_EQ(controller.update(chain(0.5, 0.5), 100).name, "b");
  EXPECT_EQ(controller.update(chain(0.5, 0), 200).name, "a");
  EXPECT_EQ(controller.replicas("a"), 3);
  EXPECT_EQ(controller.replicas("b"), 2);
}

// Half of the ideal gain is enough where that is less than the margin.
TEST(ReplicaController, asks_less_of_the_twenty_first_replica_than_of_the_second) {
  ReplicaController controller({});
  controller.set_range("a", {.least = 20, .most = 30});
  controller.update(only(0.5), 100);
  EXPECT_EQ(controller.update(only(0.5), 104).replicas, 22);
}

TEST(ReplicaController, keeps_to_its_limits_and_helps_another_one) {
  ReplicaController controller({});
  controller.set_range("a", {.least = 2, .most = 3});
  EXPECT_EQ(controller.replicas("a"), 2);
  const std::vector<Candidate> both{{.name = "a", .inputs = {0.5}}, {.name = "b", .inputs = {0.5}}};
  EXPECT_EQ(controller.update(both, 100).replicas, 3);
  EXPECT_EQ(controller.update(both, 200).name, "b");
  EXPECT_EQ(controller.update(only(0.5), 300).reason, Reason::kMostReplicas);
  controller.set_range("a", {.least = 1, .most = 1});
  EXPECT_EQ(controller.replicas("a"), 1);
}

TEST(ReplicaController, learns_nothing_from_a_period_that_is_held) {
  ReplicaController controller({});
  controller.update(only(0.5), 100);
  EXPECT_EQ(controller.hold().reason, Reason::kHeld);
  EXPECT_EQ(controller.update(only(0.5), 100).reason, Reason::kNoGain);
}

TEST(ReplicaController, refuses_what_cannot_be) {
  EXPECT_THROW(ReplicaController({.tau = 0}), std::invalid_argument);
  EXPECT_THROW(ReplicaController({.margin = 1}), std::invalid_argument);
  EXPECT_THROW(ReplicaController({.age = -1}), std::invalid_argument);
  ReplicaController controller({});
  EXPECT_THROW(controller.set_range("a", {.least = 3, .most = 2}), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(controller.update(only(0.5), -1)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(controller.update(only(2), 1)), std::invalid_argument);
  EXPECT_TRUE(controller.decisions().empty());
}

TEST(ReplicaDecision, has_its_own_word_and_sentence_for_every_reason) {
  std::set<std::string> words;
  std::set<std::string> sentences;
  const int reasons = static_cast<int>(Reason::kHeld) + 1;
  for (int i = 0; i < reasons; ++i) {
    words.emplace(name(static_cast<Reason>(i)));
    sentences.insert(to_text({.name = "a", .reason = static_cast<Reason>(i)}));
  }
  EXPECT_EQ(words.size(), static_cast<std::size_t>(reasons));
  EXPECT_EQ(sentences.size(), static_cast<std::size_t>(reasons));
}

}  // namespace
}  // namespace penstock
