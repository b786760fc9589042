#include <gtest/gtest.h>
#include <sstream>
#include <string>

#include "penstock/policy/policy.hpp"

#include "bench/policies/serve.hpp"

namespace penstock::bench::policies {
namespace {

std::string ask(const std::string& lines) {
  std::istringstream in(lines);
  std::ostringstream out;
  serve(in, out);
  return out.str();
}

TEST(PoliciesServe, every_policy_simulates_every_topology_correctly) {
  for (const auto policy : policy::names()) {
    for (const std::string topology :
         {"chain", "dataParallel", "tree", "reverseTree", "q2 load=1.5", "q15 backlog=100"}) {
      const auto said =
          ask("kind=simulate workers=3 room=50 seconds=0.2 policy=" + std::string(policy) +
              " topology=" + topology);
      EXPECT_EQ(said.find("{\"tuples_per_s\": "), 0U) << said;
      EXPECT_NE(said.find("\"correct\": \"yes\"}"), std::string::npos)
          << policy << topology << said;
    }
  }
}

TEST(PoliciesServe, every_policy_runs_every_topology_as_one_thread_would) {
  for (const auto policy : policy::names()) {
    for (const std::string topology :
         {"chain selectivity=0.7", "dataParallel", "tree", "reverseTree"}) {
      const auto said =
          ask("kind=run us=0 end_us=0 threads=3 tuples=300 policy=" + std::string(policy) +
              " topology=" + topology);
      EXPECT_NE(said.find("\"left\": 300, \"out_of_order\": 0, \"correct\": \"yes\"}"),
                std::string::npos)
          << policy << topology << said;
    }
  }
}

TEST(PoliciesServe, policies_are_listed) {
  EXPECT_EQ(ask("kind=list").find("{\"contenders\": [\"lastInPipeline\", "), 0U);
}

TEST(PoliciesServe, an_error_names_the_key_its_value_and_what_is_allowed) {
  EXPECT_EQ(ask("kind=simulate policy=LP topology=q1"),
            "{\"error\": \"a query needs either 'load' or 'backlog', more than 0\"}\n");
  EXPECT_EQ(ask("kind=simulate policy=LP topology=ring"),
            "{\"error\": \"'topology' is 'ring', but must be one of chain, dataParallel, tree, "
            "reverseTree, q1, q2, q3, q4, q15\"}\n");
  EXPECT_EQ(ask("kind=run policy=LP topology=chain us=1000001"),
            "{\"error\": \"'us' is above 1000000: that is the most a tuple can cost\"}\n");
  EXPECT_EQ(ask("kind=run policy=LP topology=dataParallel selectivity=0.5"),
            "{\"error\": \"'selectivity' is not a known key\"}\n");
  EXPECT_NE(ask("kind=run policy=best").find("'best' is not a policy"), std::string::npos);
}

}  // namespace
}  // namespace penstock::bench::policies
