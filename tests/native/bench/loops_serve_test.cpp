#include <gtest/gtest.h>
#include <sstream>
#include <string>

#include "bench/loops/serve.hpp"

namespace penstock::bench::loops {
namespace {

std::string ask(const std::string& lines) {
  std::istringstream in(lines);
  std::ostringstream out;
  serve(in, out);
  return out.str();
}

std::string result_of(const std::string& said) { return said.substr(said.find("\"pairs\"")); }

TEST(LoopsServe, all_barriers_make_the_same_pairs) {
  for (const std::string shape : {"rows=4", "rows=4 uneven=3", "rows=1"}) {
    const auto task = " tuples=101 " + shape + "\n";
    const auto loop = ask("kind=barrier contender=loop" + task);
    EXPECT_EQ(loop.find("{\"tuples\": 101, \"seconds\": "), 0U) << loop;
    EXPECT_EQ(result_of(loop), result_of(ask("kind=barrier contender=event" + task)));
    EXPECT_EQ(result_of(loop), result_of(ask("kind=barrier contender=library" + task)));
  }
  EXPECT_NE(ask("tuples=100 rows=4\n").find("\"pairs\": 200, "), std::string::npos);
}

TEST(LoopsServe, barriers_that_wake_by_rows_make_as_many_pairs_in_more_batches) {
  const std::string task = " tuples=101 rows=4 wake=rows\n";
  const auto loop = ask("kind=barrier contender=loop" + task);
  EXPECT_NE(loop.find("\"pairs\": 200, "), std::string::npos) << loop;
  EXPECT_EQ(result_of(loop), result_of(ask("kind=barrier contender=library" + task)));
  EXPECT_NE(result_of(loop), result_of(ask("kind=barrier contender=loop tuples=101 rows=4\n")));
}

TEST(LoopsServe, many_loops_are_answered_with_their_start_and_their_memory) {
  for (const std::string threads : {"1", "2"}) {
    const auto said = ask("kind=many operators=20 threads=" + threads + "\n");
    EXPECT_EQ(said.find("{\"operators\": 20, \"start_ms\": "), 0U) << said;
    EXPECT_NE(said.find("\"correct\": \"yes\"}"), std::string::npos) << said;
  }
}

TEST(LoopsServe, what_is_misspelt_is_refused) {
  EXPECT_EQ(ask("kind=gate\n"),
            "{\"error\": \"'kind' is 'gate', but must be one of barrier, many\"}\n");
}

}  // namespace
}  // namespace penstock::bench::loops
