#include "penstock/region/cut.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace penstock::region {
namespace {

using Rows = std::vector<std::int32_t>;

Rows rows_of(const Cut& cut, int part) {
  const auto rows = cut.rows_of(part);
  return {rows.begin(), rows.end()};
}

TEST(Cut, keeps_the_rows_of_a_part_in_their_order) {
  Cut cut;
  cut.assign(Rows{2, 0, 2, 3, 0, 2}, 5);
  EXPECT_EQ(cut.parts(), 5);
  EXPECT_EQ(rows_of(cut, 0), (Rows{1, 4}));
  EXPECT_EQ(rows_of(cut, 1), (Rows{}));
  EXPECT_EQ(rows_of(cut, 2), (Rows{0, 2, 5}));
  EXPECT_EQ(rows_of(cut, 3), (Rows{3}));
  EXPECT_EQ(rows_of(cut, 4), (Rows{}));
}

TEST(Cut, has_empty_parts_when_there_are_no_rows) {
  Cut cut;
  cut.assign({}, 2);
  EXPECT_EQ(cut.parts(), 2);
  EXPECT_TRUE(cut.rows_of(0).empty());
  EXPECT_TRUE(cut.rows_of(1).empty());
}

TEST(Cut, a_warm_one_forgets_the_batch_before_and_moves_no_buffer) {
  Cut cut;
  cut.assign(Rows(1000, 1), 2);
  const auto* buffer = cut.rows_of(1).data();
  cut.assign(Rows{1, 0, 1}, 2);
  EXPECT_EQ(rows_of(cut, 0), (Rows{1}));
  EXPECT_EQ(rows_of(cut, 1), (Rows{0, 2}));
  cut.assign(Rows(1000, 1), 2);
  EXPECT_EQ(cut.rows_of(1).data(), buffer);
}

TEST(Cut, every_row_is_in_its_part_once) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const int parts = 1 + static_cast<int>(random() % 100);
    Rows part_of(random() % 2000);
    for (auto& part : part_of)
      part = static_cast<std::int32_t>(random() % static_cast<unsigned>(parts));
    std::vector<Rows> expected(static_cast<std::size_t>(parts));
    for (std::size_t row = 0; row < part_of.size(); ++row) {
      expected[static_cast<std::size_t>(part_of[row])].push_back(static_cast<std::int32_t>(row));
    }
    Cut cut;
    cut.assign(part_of, parts);
    for (int part = 0; part < parts; ++part) {
      ASSERT_EQ(rows_of(cut, part), expected[static_cast<std::size_t>(part)]) << part;
    }
  }
}

TEST(Cut, by_hash_the_high_half_decides_and_every_row_is_in_its_part_once) {
  for (const int parts : {1, 3, 16, 100}) {
    std::mt19937_64 random(static_cast<unsigned>(parts));
    std::vector<std::uint64_t> hashes(2000);
    for (auto& hash : hashes) hash = random();
    hashes[0] = 0;
    hashes[1] = ~std::uint64_t{0};
    hashes[2] = 0xFFFFFFFFU;
    Cut cut;
    cut.assign_by_hash(hashes, parts);
    EXPECT_EQ(cut.parts(), parts);
    EXPECT_EQ(cut.part_of()[0], 0);
    EXPECT_EQ(cut.part_of()[1], parts - 1);
    EXPECT_EQ(cut.part_of()[2], 0) << "the low half places keys in tables";
    Cut same;
    same.assign(cut.part_of(), parts);
    for (int part = 0; part < parts; ++part) ASSERT_EQ(rows_of(cut, part), rows_of(same, part));
  }
}

TEST(CutDeathTest, a_row_that_goes_nowhere_is_noticed) {
  Cut cut;
  EXPECT_DEATH(cut.assign(Rows{0, 2}, 2), "every row must go to a part that exists");
  EXPECT_DEATH(cut.assign(Rows{-1}, 2), "every row must go to a part that exists");
}

}  // namespace
}  // namespace penstock::region
