#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "bench/ordered/queries/query.hpp"
#include "bench/ordered/queries/step.hpp"
#include "bench/policies/topology.hpp"

// What is assumed of the queries that are simulated: what they do when they are run.

namespace penstock::bench::policies {
namespace {

class Counted {
 public:
  Counted(const queries::Query& query, std::size_t rows)
      : input_(query.make_input(rows)),
        steps_(query.make_steps(input_, 1)),
        seen_(steps_.size() + 1) {
    for (queries::Row row : input_.rows) carry(0, row);
  }

  [[nodiscard]] std::size_t steps() const { return steps_.size(); }
  [[nodiscard]] queries::Kind kind(std::size_t step) const { return steps_[step].kind; }
  [[nodiscard]] double selectivity(std::size_t step) const { return seen_[step + 1] / seen_[step]; }
  // Of the work, if every row costs the same everywhere.
  [[nodiscard]] double share_of_last() const {
    double all = 0;
    for (std::size_t i = 0; i < steps_.size(); ++i) all += seen_[i];
    return seen_[steps_.size() - 1] / all;
  }

 private:
  // NOLINTNEXTLINE(misc-no-recursion): as deep as there are steps
  void carry(std::size_t step, queries::Row& row) {
    ++seen_[step];
    if (step == steps_.size()) return;
    queries::Unit unit;
    steps_[step].work(0, row, unit);
    // NOLINTNEXTLINE(misc-no-recursion)
    unit.hand_out([this, step](queries::Row& each) { carry(step + 1, each); });
  }

  queries::Input input_;
  std::vector<queries::Step> steps_;
  std::vector<double> seen_;
};

// Enough for users to have come back, and fewer where each row makes six.
Counted counted(std::string_view name) {
  const auto all = queries::queries();
  const std::size_t rows = name == "q2" ? 40'000 : 150'000;
  return {*std::ranges::find(all, name, &queries::Query::name), rows};
}

bool is_told_otherwise(std::string_view name, std::size_t step) {
  return (name == "q1" || name == "q2") && step == 2;
}

TEST(SimulatedQueries, operators_are_of_the_kinds_that_are_run_and_cost_the_same) {
  constexpr int kWorkers = 200;
  for (const auto name : query_names()) {
    const Topology simulated = query(name, kWorkers);
    const Counted run = counted(name);
    ASSERT_EQ(simulated.nodes.size(), run.steps()) << name;
    for (std::size_t i = 0; i < run.steps(); ++i) {
      const int most = run.kind(i) == queries::Kind::kStateful ? 1
                       : run.kind(i) == queries::Kind::kKeyed  ? 100
                                                               : kWorkers;
      EXPECT_EQ(simulated.nodes[i].most_workers, most) << name << " " << i;
      EXPECT_EQ(simulated.nodes[i].cost_ns, simulated.nodes[0].cost_ns) << name << " " << i;
    }
  }
}

TEST(SimulatedQueries, operators_pass_on_what_they_do_when_they_are_run) {
  for (const auto name : query_names()) {
    const Topology simulated = query(name, 2);
    const Counted run = counted(name);
    for (std::size_t i = 0; i + 1 < run.steps(); ++i) {
      if (is_told_otherwise(name, i)) continue;
      EXPECT_NEAR(simulated.nodes[i].selectivity / run.selectivity(i), 1, 0.08) << name << " " << i;
    }
  }
}

TEST(SimulatedQueries,
     only_where_the_paper_scales_further_than_what_is_run_another_one_is_assumed) {
  EXPECT_GT(counted("q1").share_of_last(), 1 / 16.0);
  EXPECT_GT(counted("q2").share_of_last(), 1 / 8.0);
  EXPECT_LT(counted("q4").share_of_last(), 1 / 16.0);
  for (const auto name : query_names()) EXPECT_TRUE(query(name, 16).employs(16)) << name;
}

}  // namespace
}  // namespace penstock::bench::policies
