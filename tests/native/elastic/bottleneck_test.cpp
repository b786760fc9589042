#include "penstock/elastic/bottleneck.hpp"

#include <gtest/gtest.h>
#include <stdexcept>
#include <vector>

namespace penstock {
namespace {

using elastic::bottleneck;
using elastic::Candidate;

TEST(Bottleneck, is_blocked_before_and_not_behind) {
  const std::vector<Candidate> line{{.name = "a", .inputs = {0.9}, .outputs = {0.5}},
                                    {.name = "b", .inputs = {0.5}, .outputs = {0.0}},
                                    {.name = "c", .inputs = {0.0}, .outputs = {}}};
  EXPECT_EQ(bottleneck(line), 1U);
}

TEST(Bottleneck, is_the_first_of_several) {
  const std::vector<Candidate> two{{.name = "a", .inputs = {0.2}, .outputs = {0}},
                                   {.name = "b", .inputs = {0.9}, .outputs = {0}}};
  EXPECT_EQ(bottleneck(two), 0U);
}

TEST(Bottleneck, is_none_where_nothing_is_blocked) {
  EXPECT_EQ(bottleneck(std::vector<Candidate>{}), std::nullopt);
  EXPECT_EQ(bottleneck(std::vector<Candidate>{{.name = "a", .inputs = {0.009}}}), std::nullopt);
}

TEST(Bottleneck, begins_at_the_threshold_on_both_sides) {
  EXPECT_EQ(bottleneck(std::vector<Candidate>{{.name = "a", .inputs = {0.01}}}), 0U);
  EXPECT_EQ(bottleneck(std::vector<Candidate>{{.name = "a", .inputs = {1}, .outputs = {0.01}}}),
            std::nullopt);
  EXPECT_EQ(bottleneck(std::vector<Candidate>{{.name = "a", .inputs = {0.01}}}, 0.02),
            std::nullopt);
}

TEST(Bottleneck, takes_the_mean_of_replicas_and_the_worst_of_what_is_behind) {
  const auto with = [](std::vector<double> inputs, std::vector<double> outputs) {
    return std::vector<Candidate>{{.name = "a", .inputs = inputs, .outputs = outputs}};
  };
  EXPECT_EQ(bottleneck(with({0.019, 0.0}, {})), std::nullopt);
  EXPECT_EQ(bottleneck(with({0.021, 0.0}, {})), 0U);
  EXPECT_EQ(bottleneck(with({0.5}, {0.0, 0.009})), 0U);
  EXPECT_EQ(bottleneck(with({0.5}, {0.0, 0.011})), std::nullopt);
}

// A40: splitters and mergers, and what waits for a disk.
TEST(Bottleneck, is_never_what_cannot_be_replicated) {
  const std::vector<Candidate> line{{.name = "split", .inputs = {0.9}, .replicable = false},
                                    {.name = "b", .inputs = {0.9}}};
  EXPECT_EQ(bottleneck(line), 1U);
}

TEST(Bottleneck, refuses_what_cannot_be) {
  EXPECT_THROW(static_cast<void>(bottleneck({}, 0)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(bottleneck({}, 1.1)), std::invalid_argument);
  const auto check = [](Candidate wrong) {
    const std::vector<Candidate> line{{.name = "fine", .inputs = {0.9}}, wrong};
    EXPECT_THROW(static_cast<void>(bottleneck(line)), std::invalid_argument);
  };
  check({.name = "a"});
  check({.name = "a", .inputs = {1.1}});
  check({.name = "a", .inputs = {0.5}, .outputs = {-0.1}});
}

}  // namespace
}  // namespace penstock
