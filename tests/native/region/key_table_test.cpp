#include "penstock/region/key_table.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "penstock/base/hash.hpp"
#include "penstock/tuple/key_columns.hpp"

namespace penstock::region {
namespace {

using Ids = std::vector<std::uint32_t>;

std::uint64_t hash_of(std::uint64_t word) { return base::hash64(word); }
std::uint64_t hash_of(std::string_view bytes) {
  return bytes.data() == nullptr ? tuple::kNullHash : base::hash64(bytes.data(), bytes.size());
}

template <typename Table>
Ids add(Table& table, const std::vector<typename Table::Key>& keys) {
  std::vector<std::uint64_t> hashes;
  for (const auto& key : keys) hashes.push_back(hash_of(key));
  Ids ids(keys.size());
  table.find_or_add(keys, hashes, ids);
  return ids;
}

TEST(KeyTable, numbers_keys_by_their_first_appearance) {
  WordTable words;
  EXPECT_EQ(add(words, {7, 7, 9, 0, 9, 7}), (Ids{0, 0, 1, 2, 1, 0}));
  EXPECT_EQ(add(words, {0, 11}), (Ids{2, 3}));
  EXPECT_EQ(words.size(), 4U);
  EXPECT_EQ(words.id_limit(), 4U);
  ByteTable bytes;
  EXPECT_EQ(add(bytes, {"b", "a", "", "b", "ab"}), (Ids{0, 1, 2, 0, 3}));
}

TEST(KeyTable, null_is_neither_zero_nor_empty) {
  WordTable words;
  const std::vector<std::uint64_t> keys{0, 0, 0, 0};
  // The last belongs to the same slot as null.
  const std::vector<std::uint64_t> hashes{hash_of(0), tuple::kNullHash, hash_of(0),
                                          tuple::kNullHash ^ 0x100000U};
  Ids ids(4);
  words.find_or_add(keys, hashes, ids);
  EXPECT_EQ(ids, (Ids{0, 1, 0, 2}));
  std::map<std::uint32_t, std::optional<std::uint64_t>> seen;
  words.for_each([&](std::optional<std::uint64_t> key, std::uint32_t id) { seen[id] = key; });
  EXPECT_EQ(seen[0], 0U);
  EXPECT_EQ(seen[1], std::nullopt);
  EXPECT_EQ(words.erase(0, tuple::kNullHash), 1U);
  EXPECT_EQ(words.find(0, hash_of(0)), 0U);

  ByteTable bytes;
  EXPECT_EQ(add(bytes, {"", {}, "", {}}), (Ids{0, 1, 0, 1}));
  int nulls = 0;
  bytes.for_each([&](std::string_view key, std::uint32_t) { nulls += key.data() == nullptr; });
  EXPECT_EQ(nulls, 1);
}

TEST(KeyTable, keys_with_the_same_hash_stay_apart) {
  ByteTable table;
  const std::vector<std::string_view> keys{"one", "two", "six", "two", "", {}, ""};
  const std::vector<std::uint64_t> hashes(7, 42);
  Ids ids(7);
  table.find_or_add(keys, hashes, ids);
  EXPECT_EQ(ids, (Ids{0, 1, 2, 1, 3, 4, 3}));
  EXPECT_EQ(table.erase("one", 42), 0U);
  EXPECT_EQ(table.find("six", 42), 2U);
  EXPECT_EQ(table.find("one", 42), kNoId);
}

TEST(KeyTable, an_empty_one_finds_nothing_and_takes_no_memory) {
  WordTable words;
  EXPECT_EQ(words.find(1, hash_of(1)), kNoId);
  EXPECT_EQ(words.erase(1, hash_of(1)), kNoId);
  EXPECT_EQ(words.bytes(), 0U);
  EXPECT_EQ(ByteTable().bytes(), 0U);
}

TEST(KeyTable, the_number_of_an_erased_key_is_given_to_the_next_new_one) {
  WordTable table;
  add(table, {10, 20, 30});
  EXPECT_EQ(table.erase(20, hash_of(20)), 1U);
  EXPECT_EQ(table.erase(20, hash_of(20)), kNoId);
  EXPECT_EQ(table.size(), 2U);
  EXPECT_EQ(add(table, {40, 50}), (Ids{1, 3}));
}

TEST(KeyTable, keeps_its_own_copy_of_the_bytes) {
  ByteTable table;
  std::string key = "mine";
  add(table, {key});
  key = "gone";
  EXPECT_EQ(table.find("mine", hash_of(std::string_view("mine"))), 0U);
  EXPECT_EQ(table.find(key, hash_of(std::string_view(key))), kNoId);
}

// Random adds and erasures against a map, in few slots so that runs of them wrap around.
template <typename Table, typename MakeKey>
void compare_with_map(unsigned seed, MakeKey make_key) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 engine(seed);
  const auto below = [&](unsigned limit) { return static_cast<unsigned>(engine() % limit); };
  Table table;
  std::map<typename Table::Key, std::uint32_t> expected;
  const unsigned different = 1 + below(3000);
  const unsigned erasures = below(60);
  for (int round = 0; round < 40; ++round) {
    std::vector<typename Table::Key> keys;
    for (unsigned left = below(100); left > 0; --left) {
      keys.push_back(make_key(below(different)));
    }
    const Ids ids = add(table, keys);
    for (std::size_t row = 0; row < keys.size(); ++row) {
      ASSERT_EQ(expected.try_emplace(keys[row], ids[row]).first->second, ids[row]);
    }
    for (unsigned left = erasures; left > 0; --left) {
      const auto key = make_key(below(different));
      const auto known = expected.find(key);
      ASSERT_EQ(table.erase(key, hash_of(key)), known == expected.end() ? kNoId : known->second);
      if (known != expected.end()) expected.erase(known);
    }
    ASSERT_EQ(table.size(), expected.size());
    std::set<std::uint32_t> used;
    for (const auto& [key, id] : expected) {
      ASSERT_EQ(table.find(key, hash_of(key)), id);
      ASSERT_LT(id, table.id_limit());
      ASSERT_TRUE(used.insert(id).second) << "two keys have the number " << id;
    }
    std::size_t visited = 0;
    table.for_each([&](auto, std::uint32_t id) { visited += used.contains(id) ? 1U : 0U; });
    ASSERT_EQ(visited, expected.size());
  }
}

TEST(KeyTable, words_are_found_until_they_are_erased) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    compare_with_map<WordTable>(seed, [](unsigned key) { return std::uint64_t{key}; });
  }
}

TEST(KeyTable, bytes_are_found_until_they_are_erased) {
  std::vector<std::string> texts;
  for (unsigned key = 0; key < 3000; ++key) {
    texts.push_back(std::string(key % 40, 'k') + std::to_string(key));
  }
  for (unsigned seed = 0; seed < 60; ++seed) {
    compare_with_map<ByteTable>(seed, [&](unsigned key) { return std::string_view(texts[key]); });
  }
}

TEST(KeyTable, says_how_much_memory_it_takes) {
  WordTable words;
  std::vector<std::uint64_t> keys(100'000);
  std::iota(keys.begin(), keys.end(), 1);
  add(words, keys);
  EXPECT_GE(words.bytes(), keys.size() * 16);
  EXPECT_LE(words.bytes(), keys.size() * 48);
  ByteTable bytes;
  const std::string large(1'000'000, 'x');
  add(bytes, {large});
  EXPECT_GE(bytes.bytes(), large.size());
  EXPECT_LE(bytes.bytes(), large.size() + 4096);
}

TEST(KeyTable, gives_back_the_memory_of_erased_bytes) {
  ByteTable table;
  for (int round = 0; round < 100; ++round) {
    const std::string text = std::string(100'000, 'x') + std::to_string(round);
    add(table, {"stays", text});
    table.erase(text, hash_of(std::string_view(text)));
    EXPECT_LT(table.bytes(), 400'000U) << round;
  }
  EXPECT_EQ(table.find("stays", hash_of(std::string_view("stays"))), 0U);
}

// Also with tables so full that what is left of a cluster moves around the end.
TEST(KeyTable, erasing_many_at_once_is_erasing_them_one_by_one) {
  std::mt19937_64 random(5);  // NOLINT(*-random-generator-seed): every run the same
  for (const std::size_t count : {1U, 12U, 24U, 700U, 3000U}) {
    for (const unsigned share : {0U, 1U, 2U, 3U}) {
      std::set<std::string> texts;
      while (texts.size() < count) texts.insert(std::to_string(random() % 100'000));
      std::vector<std::string_view> keys(texts.begin(), texts.end());
      ByteTable one;
      ByteTable many;
      const Ids ids = add(one, keys);
      add(many, keys);
      std::vector<std::uint8_t> gone(many.id_limit());
      std::size_t erased = 0;
      for (std::size_t i = 0; i < count; ++i) {
        gone[ids[i]] = random() % 3 < share ? 1 : 0;
        if (gone[ids[i]] == 0) continue;
        one.erase(keys[i], hash_of(keys[i]));
        ++erased;
      }
      many.reserve_erased(erased);
      many.erase_all(gone);
      EXPECT_EQ(many.size(), count - erased);
      for (const auto key : keys) {
        EXPECT_EQ(many.find(key, hash_of(key)), one.find(key, hash_of(key))) << key;
      }
      std::vector<std::string> more;
      for (std::size_t i = 0; i < erased; ++i) more.push_back("new" + std::to_string(i));
      add(many, {more.begin(), more.end()});
      EXPECT_EQ(many.id_limit(), count) << "numbers are used again";
    }
  }
}

TEST(KeyTable, a_table_with_room_does_not_grow) {
  WordTable table;
  add(table, {1, 2, 3});
  table.reserve(1000);
  const auto taken = table.bytes();
  std::vector<std::uint64_t> keys(1000);
  std::iota(keys.begin(), keys.end(), 10);
  add(table, keys);
  EXPECT_EQ(table.bytes(), taken);
  EXPECT_EQ(table.find(3, hash_of(3)), 2U);
}

}  // namespace
}  // namespace penstock::region
