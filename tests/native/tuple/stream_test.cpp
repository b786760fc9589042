#include "penstock/tuple/stream.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <string>

#include "support/int_stream.hpp"

namespace penstock {
namespace {

using support::live_batches;
using support::live_streams;
using support::make_int_batch;
using support::make_int_input;
using support::make_int_stream;
using support::read_column;
using Values = std::vector<std::int64_t>;

ArrowSchema make_int_schema() {
  return ArrowSchema{.format = "+s", .name = "", .release = [](ArrowSchema* schema) {
                       schema->release = nullptr;
                     }};
}

// Gives the numbers 0, 1, ... one batch each, then fails or ends.
class Numbers final : public tuple::BatchSource {
 public:
  Numbers(int count, bool fails) : count_(count), fails_(fails) {}

  std::optional<tuple::Batch> next() override {
    if (given_ < count_) return make_int_batch({given_++});
    if (fails_) throw std::runtime_error("no more numbers");
    return std::nullopt;
  }

 private:
  int given_ = 0;
  int count_;
  bool fails_;
};

ArrowArrayStream export_numbers(int count, bool fails) {
  ArrowSchema schema = make_int_schema();
  ArrowArrayStream out{};
  tuple::export_stream(std::make_shared<Numbers>(count, fails), tuple::Schema(schema), out);
  return out;
}

TEST(InputStream, gives_every_batch_once_and_then_nothing) {
  const auto input = make_int_input({{1, 2}, {}, {3}});
  EXPECT_EQ(read_column(*input->next()), (Values{1, 2}));
  EXPECT_EQ(input->next()->rows(), 0);
  EXPECT_EQ(read_column(*input->next()), (Values{3}));
  EXPECT_FALSE(input->next());
  EXPECT_FALSE(input->next());
}

TEST(InputStream, repeats_what_the_maker_said_about_its_error) {
  const auto input = make_int_input({}, true);
  try {
    (void)input->next();
    FAIL() << "an error of the maker must not look like the end of the input";
  } catch (const tuple::StreamError& error) {
    EXPECT_STREQ(error.what(), "the socket is gone");
  }
}

TEST(InputStream, gives_the_stream_back_once_however_often_it_is_closed) {
  ASSERT_EQ(live_streams, 0);
  {
    const auto input = make_int_input({{1}});
    EXPECT_EQ(live_streams, 1);
    input->close();
    EXPECT_EQ(live_streams, 0);
    input->close();
    EXPECT_FALSE(input->next());
  }
  EXPECT_EQ(live_streams, 0);
}

TEST(InputStream, refuses_a_stream_that_was_released) {
  ArrowArrayStream gone{};
  EXPECT_THROW(tuple::InputStream{gone}, std::invalid_argument);
}

TEST(ExportedStream, hands_out_batches_until_a_released_array_says_the_end) {
  ArrowArrayStream stream = export_numbers(2, false);
  ArrowArray array{};
  for (const std::int64_t expected : {0, 1}) {
    ASSERT_EQ(stream.get_next(&stream, &array), 0);
    EXPECT_EQ(read_column(array), (Values{expected}));
    array.release(&array);
  }
  ASSERT_EQ(stream.get_next(&stream, &array), 0);
  EXPECT_EQ(array.release, nullptr);
  stream.release(&stream);
  EXPECT_EQ(live_batches, 0);
}

TEST(ExportedStream, turns_an_exception_into_an_error_with_its_text) {
  ArrowArrayStream stream = export_numbers(0, true);
  ArrowArray array{};
  EXPECT_NE(stream.get_next(&stream, &array), 0);
  EXPECT_STREQ(stream.get_last_error(&stream), "no more numbers");
  stream.release(&stream);
}

TEST(ExportedStream, hands_out_the_schema_as_often_as_it_is_asked) {
  ArrowArrayStream stream = export_numbers(0, false);
  ArrowSchema first{};
  ArrowSchema second{};
  ASSERT_EQ(stream.get_schema(&stream, &first), 0);
  ASSERT_EQ(stream.get_schema(&stream, &second), 0);
  stream.release(&stream);
  EXPECT_EQ(std::string(first.format), "+s");
  first.release(&first);
  EXPECT_EQ(std::string(second.format), "+s");
  second.release(&second);
}

}  // namespace
}  // namespace penstock
