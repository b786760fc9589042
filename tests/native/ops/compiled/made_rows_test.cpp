#include "penstock/ops/compiled/made_rows.hpp"

#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "ops/compiled/functions.hpp"

namespace penstock {
namespace {

using ops::MadeRows;
using support::text;
using support::Type;

const std::vector<Type> kTypes{{.format = "u", .name = "text"}, {.format = "l", .name = "n"}};

// A call for the rows 2, 4 and 6.
struct Call {
  Call() {
    frame.rows = 3;
    frame.row = given.data();
    made.begin(fields, frame.rows, frame);
  }

  std::int64_t add(std::int64_t from, const std::string& bytes) {
    const auto row = support::add_row(&frame, from);
    support::put_bytes(&frame, 0, row, bytes);
    support::put_number<std::int64_t>(&frame, 1, row, from);
    return row;
  }
  // What is wrong with what was made.
  std::string problem() {
    try {
      made.finish(frame);
    } catch (const std::logic_error& error) {
      EXPECT_TRUE(made.from().empty()) << "nothing of it is used";
      return error.what();
    }
    return "";
  }

  std::array<std::int32_t, 3> given{2, 4, 6};
  std::vector<tuple::Field> fields = tuple::read_fields(support::make_schema(kTypes));
  MadeRows made;
  penstock_frame frame{};
};

TEST(MadeRows, keep_what_was_made_when_they_grow) {
  Call call;
  for (int i = 0; i < 1000; ++i) call.add(4, "text " + std::to_string(i));
  EXPECT_EQ(call.problem(), "");
  const auto made = support::read_batch(kTypes, call.made.columns(1000));
  EXPECT_EQ(made[0][0], text("text 0"));
  EXPECT_EQ(made[0][999], text("text 999"));
  EXPECT_EQ(made[1][500], support::number(std::int64_t{4}));
}

TEST(MadeRows, count_those_before_a_row) {
  Call call;
  for (const int from : {2, 2, 6}) call.add(from, "");
  EXPECT_EQ(call.problem(), "");
  EXPECT_EQ(call.made.before(2), 0);
  EXPECT_EQ(call.made.before(3), 2);
  EXPECT_EQ(call.made.before(6), 2);
  EXPECT_EQ(call.made.before(7), 3);
  EXPECT_TRUE(call.made.repeats());
}

TEST(MadeRows, more_than_there_is_room_for_is_refused) {
  Call call;
  call.frame.made = call.frame.capacity + 1;
  EXPECT_NE(call.problem().find("room for 3"), std::string::npos);
}

TEST(MadeRows, rows_that_descend_are_refused) {
  Call call;
  call.add(4, "");
  call.add(2, "");
  EXPECT_NE(call.problem().find("must not descend"), std::string::npos);
}

TEST(MadeRows, rows_that_were_not_given_are_refused) {
  for (const int from : {-1, 0, 3, 7, std::numeric_limits<int>::max()}) {
    Call call;
    call.add(from, "");
    EXPECT_NE(call.problem().find("row " + std::to_string(from) + ", which it was not given"),
              std::string::npos);
  }
}

TEST(MadeRows, strings_that_end_before_they_begin_or_behind_the_room_are_refused) {
  for (const std::int32_t end : {-1, 2, 1 << 30}) {
    Call call;
    call.add(2, "abc");
    call.add(4, "def");
    call.frame.out[0].ends[1] = end;
    EXPECT_NE(call.problem().find("'text'"), std::string::npos) << end;
  }
}

TEST(MadeRows, room_beyond_what_a_type_can_hold_is_refused_with_the_reason) {
  Call call;
  EXPECT_NE(call.frame.grow(&call.frame, std::numeric_limits<std::int32_t>::max() + 1LL), 0);
  EXPECT_NE(call.made.refusal().find("rows of one tuple"), std::string::npos);
  EXPECT_NE(call.frame.grow_bytes(&call.frame, 0, 1LL << 31U), 0);
  EXPECT_NE(call.made.refusal().find("'text'"), std::string::npos);
  for (const std::int64_t column : {-1, 1, 2}) {
    EXPECT_NE(call.frame.grow_bytes(&call.frame, column, 1), 0);
    EXPECT_NE(call.made.refusal().find("no string"), std::string::npos);
  }
}

}  // namespace
}  // namespace penstock
