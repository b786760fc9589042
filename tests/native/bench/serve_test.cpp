#include "bench/serve.hpp"

#include <gtest/gtest.h>
#include <sstream>
#include <string>

#include "bench/contenders/contenders.hpp"

namespace penstock::bench {
namespace {

std::string ask(const std::string& lines) {
  std::istringstream in(lines);
  std::ostringstream out;
  serve(in, out, own_contenders());
  return out.str();
}

TEST(Serve, a_measurement_is_answered_with_one_line) {
  const auto said = ask("contender=conveyor depth=3 tuples=100 threads=2\n");
  EXPECT_EQ(said.find("{\"tuples\": 100, \"seconds\": "), 0U) << said;
  EXPECT_NE(said.find("\"lost\": 0, \"duplicated\": 0, \"out_of_order\": 0"), std::string::npos);
  EXPECT_EQ(said.find('\n'), said.size() - 1);
}

TEST(Serve, every_line_is_answered_in_turn) {
  const auto said = ask("kind=list\n\nnonsense\nkind=list");
  const std::string list =
      "{\"contenders\": [\"chain\", \"as-printed\", \"manual\", \"conveyor\", \"automatic\", "
      "\"dynamic\", "
      "\"dynamic-lru\", \"dedicated\"]}\n";
  EXPECT_EQ(said, list + "{\"error\": \"'nonsense' is not key=value\"}\n" + list);
}

TEST(Serve, an_error_names_the_key_its_value_and_what_is_allowed) {
  EXPECT_EQ(ask("contender=conveyor threads=none"),
            "{\"error\": \"'threads' is 'none', but must be a whole number from 1 to 1024\"}\n");
  EXPECT_EQ(ask("contender=conveyor run=1025"),
            "{\"error\": \"'run' is '1025', but must be a whole number from 1 to 1024\"}\n");
  EXPECT_EQ(ask("contender=conveyor rate=-1"),
            "{\"error\": \"'rate' is '-1', but must be a number from 0 on\"}\n");
  EXPECT_EQ(ask("contender=conveyor interface=row"),
            "{\"error\": \"'interface' is 'row', but must be one of tuple, batch\"}\n");
  EXPECT_EQ(ask("kind=guess"),
            "{\"error\": \"'kind' is 'guess', but must be one of measure, list\"}\n");
}

TEST(Serve, a_key_that_nobody_knows_or_that_comes_twice_is_refused) {
  EXPECT_EQ(ask("contender=chain thread=2"), "{\"error\": \"'thread' is not a known key\"}\n");
  EXPECT_EQ(ask("contender=chain cost=2 cost=3"), "{\"error\": \"'cost' is given twice\"}\n");
}

TEST(Serve, an_error_is_json_whatever_was_asked) {
  EXPECT_EQ(ask("a\"b\\\x01"), "{\"error\": \"'a\\\"b\\\\\\u0001' is not key=value\"}\n");
}

}  // namespace
}  // namespace penstock::bench
