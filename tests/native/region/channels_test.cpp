#include "penstock/region/channels.hpp"

#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include "support/int_batch.hpp"
#include "support/key_counter.hpp"
#include "support/operators.hpp"

namespace penstock {
namespace {

using graph::Resizing;
using region::Channels;
using region::Splitter;
using support::KeyCounter;
using Rows = std::vector<std::int64_t>;
using Counts = std::map<std::int64_t, std::int64_t>;

constexpr int kMost = 8;

class Emitted final : public graph::Output {
 public:
  void emit(tuple::Batch batch, int /*port*/) override {
    const auto made = support::read_column(std::move(batch));
    values.insert(values.end(), made.begin(), made.end());
  }
  void punctuate(int /*port*/) override {}
  [[nodiscard]] int ports() const override { return 1; }

  Rows values;
};

// A region that counts values, by value, and is resized by hand.
class Counting {
 public:
  explicit Counting(int first = 1, KeyCounter::Copies copies = one) : width(first) {
    std::vector<region::Channel> channels;
    for (int i = 0; i < kMost; ++i) {
      auto counter = std::make_unique<KeyCounter>(copies);
      counters.push_back(counter.get());
      channels.push_back(support::channel_of("count", std::move(counter)));
    }
    Channels::Options options;
    options.widths = {.least = 1, .most = kMost, .first = first};
    region = std::make_unique<Channels>(support::int_schema(), support::int_schema(),
                                        Splitter(tuple::KeyColumns(support::int_schema(), {0})),
                                        std::move(channels), std::move(options));
  }

  Rows process(const Rows& values) {
    Emitted emitted;
    region->process_whole({.batch = support::make_int_batch(values), .origin = {}},
                          {.width = width}, emitted);
    return emitted.values;
  }

  void resize(int to) {
    const auto moving = region->begin_resize(width, to);
    for (int part = 0; part < kMost; ++part) region->give(part, *moving);
    for (int part = 0; part < kMost; ++part) region->take(part, *moving);
    width = to;
  }

  Counts all() const {
    Counts found;
    for (const auto* counter : counters)
      found.insert(counter->seen().begin(), counter->seen().end());
    return found;
  }

  static int one(std::int64_t /*value*/) { return 1; }

  int width;
  std::unique_ptr<Channels> region;
  std::vector<KeyCounter*> counters;
};

TEST(Channels, make_what_one_thread_makes_whatever_their_number) {
  const auto copies = [](std::int64_t value) { return static_cast<int>(value % 3); };
  for (int width = 1; width <= kMost; ++width) {
    Counting counting(width, copies);
    Rows all;
    Rows made;
    for (int tuple = 0; tuple < 10; ++tuple) {
      Rows values(30);
      for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<std::int64_t>((i * 7 + static_cast<std::size_t>(tuple)) % 13);
      }
      all.insert(all.end(), values.begin(), values.end());
      const Rows now = counting.process(values);
      made.insert(made.end(), now.begin(), now.end());
    }
    EXPECT_EQ(made, support::counted(all, copies)) << width << " channels";
  }
}

TEST(Channels, keep_their_state_through_any_series_of_widths) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::mt19937_64 chance(seed);
    Counting counting;
    std::vector<int> widths{1, 4, 2, 3, 8, 1};
    for (int i = 0; i < 10; ++i) widths.push_back(1 + static_cast<int>(chance() % kMost));
    Rows all;
    Rows made;
    for (const int width : widths) {
      if (width != counting.width) counting.resize(width);
      Rows values(50);
      for (auto& value : values) value = static_cast<std::int64_t>(chance() % 40);
      all.insert(all.end(), values.begin(), values.end());
      const Rows now = counting.process(values);
      made.insert(made.end(), now.begin(), now.end());
      for (int channel = 0; channel < kMost; ++channel) {
        const auto keys = counting.counters[static_cast<std::size_t>(channel)]->keys();
        EXPECT_TRUE(channel < width || keys == 0) << "a channel that is gone knows nothing";
      }
    }
    ASSERT_EQ(made, support::counted(all, Counting::one)) << "seed " << seed;
    Counts right;
    for (const auto value : all) ++right[value];
    EXPECT_EQ(counting.all(), right) << "seed " << seed;
  }
}

TEST(Channels, move_no_key_between_channels_that_stay) {
  Counting counting(3);
  Rows values(1000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int64_t>(i);
  counting.process(values);
  const auto before = counting.counters[0]->seen();
  counting.resize(4);
  for (const auto& [value, count] : counting.counters[0]->seen()) {
    EXPECT_TRUE(before.contains(value));
  }
  EXPECT_LT(counting.counters[3]->keys(), 1000U / 4 * 3 / 2) << "about a quarter moved";
  counting.resize(3);
  EXPECT_EQ(counting.counters[0]->seen(), before);
}

TEST(Channels, lose_nothing_when_an_operator_fails_to_give) {
  Counting counting(2);
  Rows values(100);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int64_t>(i);
  counting.process(values);
  counting.counters[1]->fails_to_donate = true;
  const auto moving = counting.region->begin_resize(2, 4);
  counting.region->give(0, *moving);
  try {
    counting.region->give(1, *moving);
    FAIL() << "the operator does not give";
  } catch (const graph::FailedAtRow& failed) {
    EXPECT_EQ(failed.inner(), "count");
    EXPECT_THROW(std::rethrow_exception(failed.cause()), std::runtime_error);
  }
  for (int part = 0; part < kMost; ++part) counting.region->take(part, *moving);
  EXPECT_EQ(counting.all().size(), 100U);
}

TEST(Channels, name_the_earliest_failing_row_of_all_channels) {
  for (int width = 1; width <= kMost; ++width) {
    Counting counting(width);
    const std::int64_t bad = KeyCounter::kTooLarge;
    Emitted emitted;
    try {
      counting.region->process_whole(
          {.batch = support::make_int_batch({1, 2, 1, bad + 1, 3, bad + 2, bad + 3}), .origin = {}},
          {.width = width}, emitted);
      FAIL() << "three rows are too large";
    } catch (const graph::FailedAtRow& failed) {
      EXPECT_EQ(failed.row(), 3);
      EXPECT_EQ(failed.inner(), "count");
    }
    EXPECT_EQ(emitted.values, (Rows{1001, 2001, 1002}));
  }
}

TEST(Channels, without_a_key_refuse_an_operator_that_remembers) {
  std::vector<region::Channel> channels;
  channels.push_back(support::channel_of("count", std::make_unique<KeyCounter>()));
  try {
    const Channels region(support::int_schema(), support::int_schema(), Splitter(),
                          std::move(channels), {});
    FAIL() << "nobody knows where a key belongs";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "operator 'count' remembers rows, so its region must be split by a key");
  }
}

TEST(Channels, without_a_key_let_operators_make_any_number_of_rows) {
  std::vector<region::Channel> channels;
  for (int i = 0; i < 2; ++i) channels.push_back(support::channel_of("even", support::keep_even()));
  Channels::Options options;
  options.widths = {.least = 1, .most = 2, .first = 2};
  Channels region(support::int_schema(), support::int_schema(), Splitter(), std::move(channels),
                  std::move(options));
  Emitted emitted;
  for (std::uint64_t serial = 0; serial < 3; ++serial) {
    region.process_whole({.batch = support::make_int_batch({1, 2, 3, 4}), .origin = {}},
                         {.width = 2, .serial = serial}, emitted);
  }
  EXPECT_EQ(emitted.values, (Rows{2, 4, 2, 4, 2, 4}));
}

TEST(Channels, tell_of_a_row_without_a_key_unless_an_earlier_one_failed) {
  const auto region_of = [] {
    std::vector<region::Channel> channels;
    for (int i = 0; i < 2; ++i) {
      channels.push_back(support::channel_of("count", std::make_unique<KeyCounter>()));
    }
    Channels::Options options;
    options.widths = {.least = 1, .most = 2, .first = 2};
    Splitter splitter(tuple::KeyColumns(support::int_schema(), {0}), [](const tuple::Batch& batch) {
      for (const auto value : support::read_column(batch)) {
        if (value == 9) throw std::runtime_error("nine has no key");
      }
      return batch;
    });
    return std::make_unique<Channels>(support::int_schema(), support::int_schema(),
                                      std::move(splitter), std::move(channels), std::move(options));
  };
  const auto failing_row = [&](Rows values) {
    Emitted emitted;
    try {
      region_of()->process_whole(
          {.batch = support::make_int_batch(std::move(values)), .origin = {}}, {.width = 2},
          emitted);
    } catch (const graph::FailedAtRow& failed) {
      return std::pair(failed.row(), emitted.values);
    }
    return std::pair(std::int64_t{-1}, emitted.values);
  };
  EXPECT_EQ(failing_row({1, 2, 9, KeyCounter::kTooLarge}),
            std::pair(std::int64_t{2}, (Rows{1001, 2001})));
  EXPECT_EQ(failing_row({1, KeyCounter::kTooLarge, 9, 2}),
            std::pair(std::int64_t{1}, (Rows{1001})));
}

}  // namespace
}  // namespace penstock
