#include <gtest/gtest.h>
#include <sstream>
#include <string>

#include "bench/ordered/serve.hpp"

namespace penstock::bench::ordered {
namespace {

std::string ask(const std::string& lines) {
  std::istringstream in(lines);
  std::ostringstream out;
  serve(in, out);
  return out.str();
}

TEST(OrderedServe, a_measurement_is_answered_with_one_line) {
  const auto said = ask("contender=hybrid keys=zipf tuples=100 workers=2 selectivity=50\n");
  EXPECT_EQ(said.find("{\"tuples\": 100, \"seconds\": "), 0U) << said;
  EXPECT_NE(said.find("\"outputs\": 5000, \"lost\": 0"), std::string::npos) << said;
  EXPECT_NE(said.find("\"correct\": \"yes\", \"blocked_s\": "), std::string::npos) << said;
  EXPECT_NE(said.find("\"p99_us\": "), std::string::npos) << said;
  EXPECT_EQ(said.find('\n'), said.size() - 1);
}

TEST(OrderedServe, a_cost_in_microseconds_is_turned_into_operations) {
  const auto said = ask("contender=lock us=1 tuples=10 timed=no");
  EXPECT_EQ(said.find("\"flops\": 1,"), std::string::npos) << said;
  EXPECT_NE(said.find("\"correct\": \"yes\"}"), std::string::npos) << said;
}

TEST(OrderedServe, a_query_is_run_on_request_and_compared) {
  const auto said = ask("kind=query query=q3 contender=partitioned rows=500\n");
  EXPECT_EQ(said.find("{\"rows\": 500, \"seconds\": "), 0U) << said;
  EXPECT_NE(said.find("\"lost\": 0, \"duplicated\": 0, \"out_of_order\": 0, \"wrong\": 0, "
                      "\"correct\": \"yes\", \"p50_us\": "),
            std::string::npos)
      << said;
  EXPECT_EQ(ask("kind=query query=q5"),
            "{\"error\": \"'query' is 'q5', but must be one of q1, q2, q3, q4, q15, fan\"}\n");
  EXPECT_EQ(ask("kind=query contender=baton"),
            "{\"error\": \"'contender' is 'baton', but must be one of sequential, hybrid, "
            "partitioned, lock\"}\n");
  EXPECT_EQ(ask("kind=query us=1001"),
            "{\"error\": \"'us' is above 1000: that is the most an operator can cost for each "
            "row\"}\n");
}

TEST(OrderedServe, contenders_are_listed) {
  EXPECT_EQ(ask("kind=list"),
            "{\"contenders\": [\"sequential\", \"nonblocking\", \"lock\", \"baton\", \"hybrid\", "
            "\"partitioned\"]}\n");
}

TEST(OrderedServe, a_migration_is_answered_with_what_moved) {
  const auto said = ask("kind=migrate keys=100 channels=1 to=1\n");
  EXPECT_EQ(said.find("{\"seconds\": "), 0U) << said;
  EXPECT_NE(said.find("\"moved\": 0, \"between_survivors\": 0, \"correct\": \"yes\"}"),
            std::string::npos)
      << said;
  EXPECT_EQ(ask("kind=migrate keys=0"),
            "{\"error\": \"'keys' is '0', but must be a whole number from 1 to 100000000\"}\n");
}

TEST(OrderedServe, keys_are_only_for_contenders_that_can_keep_state) {
  EXPECT_EQ(ask("contender=lock keys=zipf"),
            "{\"error\": \"'keys' is 'zipf', but must be one of none\"}\n");
  EXPECT_EQ(ask("contender=hybrid keys=none"),
            "{\"error\": \"'keys' is 'none', but must be one of uniform, zipf, gaussian\"}\n");
  EXPECT_NE(ask("contender=sequential keys=zipf").find("\"correct\": \"yes\""), std::string::npos);
}

TEST(OrderedServe, an_error_names_the_key_its_value_and_what_is_allowed) {
  EXPECT_EQ(ask("contender=lock workers=0"),
            "{\"error\": \"'workers' is '0', but must be a whole number from 1 to 1024\"}\n");
  EXPECT_EQ(ask("contender=lock exponent=1"), "{\"error\": \"'exponent' is not a known key\"}\n");
  EXPECT_EQ(ask("contender=hybrid keys=gaussian mean=1.5"),
            "{\"error\": \"'mean' is above 1, but must be from 0 to 1: keys lie from -1 to 1\"}\n");
  EXPECT_EQ(
      ask("kind=guess"),
      "{\"error\": \"'kind' is 'guess', but must be one of measure, query, migrate, list\"}\n");
}

}  // namespace
}  // namespace penstock::bench::ordered
