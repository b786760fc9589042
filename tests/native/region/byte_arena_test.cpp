#include "penstock/region/byte_arena.hpp"

#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace penstock::region {
namespace {

TEST(ByteArena, keeps_what_was_added_where_it_is) {
  ByteArena arena;
  std::vector<std::pair<std::string, const char*>> kept;
  for (std::size_t size = 0; size < 2000; size += 7) {
    const std::string bytes(size, static_cast<char>('a' + size % 26));
    kept.emplace_back(bytes, arena.add(bytes));
  }
  for (const auto& [bytes, place] : kept) {
    EXPECT_EQ(std::string_view(place, bytes.size()), bytes);
  }
}

TEST(ByteArena, an_empty_string_has_a_place_too) {
  ByteArena arena;
  EXPECT_NE(arena.add(""), nullptr);
}

TEST(ByteArena, counts_the_memory_it_has_taken) {
  ByteArena arena;
  EXPECT_EQ(arena.bytes(), 0U);
  std::size_t added = 0;
  for (int left = 10'000; left > 0; --left) {
    (void)arena.add(std::string_view("0123456789"));
    added += 10;
    EXPECT_GE(arena.bytes(), added);
    EXPECT_LE(arena.bytes(), 4 * added + 1024);
  }
  (void)arena.add(std::string(5'000'000, 'x'));
  EXPECT_GE(arena.bytes(), 5'000'000U);
}

}  // namespace
}  // namespace penstock::region
