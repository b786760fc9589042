#include "penstock/region/hash_ring.hpp"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "penstock/base/hash.hpp"

namespace penstock::region {
namespace {

constexpr int kMost = 64;
constexpr std::uint64_t kKeys = 20'000;

// Golden vectors. They may never change: by them a saved state finds its channel again.

TEST(HashRing, points_lie_where_they_always_did) {
  EXPECT_EQ(HashRing::point(0, 0), (base::Hash128{0x137D763C34ECE7FDU, 0xF74B4F0B3825130CU}));
  EXPECT_EQ(HashRing::point(63, 255), (base::Hash128{0x88505455B0DD0AE4U, 0xB20804B2A1A8BFF2U}));
}

TEST(HashRing, keys_belong_to_the_channels_they_always_did) {
  const std::map<int, std::vector<int>> golden{
      {1, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
      {2, {1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 0, 1, 0, 0, 1, 1}},
      {3, {1, 1, 2, 1, 1, 1, 1, 2, 2, 2, 0, 1, 2, 0, 1, 1}},
      {8, {4, 6, 3, 3, 5, 7, 1, 3, 2, 6, 0, 5, 2, 0, 4, 5}},
      {64, {41, 45, 41, 22, 24, 58, 43, 39, 45, 15, 60, 26, 22, 16, 21, 27}},
  };
  for (const auto& [channels, owners] : golden) {
    const HashRing ring(channels);
    for (std::uint64_t key = 0; key < 16; ++key) {
      EXPECT_EQ(ring.channel_of(base::hash64(key)), owners[key]) << channels << " " << key;
    }
  }
}

// The definition itself, without segments: the first point at or behind the key's place.
class NaiveRing {
 public:
  explicit NaiveRing(int channels) {
    for (int channel = 0; channel < channels; ++channel) {
      for (int index = 0; index < HashRing::kPointsPerChannel; ++index) {
        points_.emplace(HashRing::point(channel, index), channel);
      }
    }
  }

  [[nodiscard]] int channel_of(std::uint64_t hash) const {
    const auto found = points_.lower_bound({.high = hash, .low = base::hash64(hash)});
    return (found == points_.end() ? points_.begin() : found)->second;
  }

  [[nodiscard]] const std::map<base::Hash128, int>& points() const { return points_; }

 private:
  std::map<base::Hash128, int> points_;
};

TEST(HashRing, finds_the_first_point_at_or_behind_a_key) {
  for (const int channels : {1, 2, 3, 7, 64}) {
    const HashRing ring(channels);
    const NaiveRing naive(channels);
    std::vector<std::uint64_t> hashes{0, 1, ~std::uint64_t{0}, ~std::uint64_t{0} - 1};
    for (const auto& [place, owner] : naive.points()) {
      for (const int step : {-1, 0, 1}) {
        hashes.push_back(place.high + static_cast<std::uint64_t>(step));
      }
    }
    for (const std::uint64_t hash : hashes) {
      ASSERT_EQ(ring.channel_of(hash), naive.channel_of(hash)) << channels << " " << hash;
    }
  }
}

TEST(HashRing, the_low_half_decides_where_the_high_halves_are_equal) {
  const HashRing ring(8);
  const NaiveRing naive(8);
  int own = 0;
  int next = 0;
  for (auto at = naive.points().begin(); std::next(at) != naive.points().end(); ++at) {
    const auto& [place, owner] = *at;
    const auto behind = std::next(at)->second;
    if (owner == behind) continue;
    const bool reaches = base::hash64(place.high) <= place.low;
    ++(reaches ? own : next);
    EXPECT_EQ(ring.channel_of(place.high), reaches ? owner : behind);
  }
  EXPECT_GT(own, 0);
  EXPECT_GT(next, 0);
}

TEST(HashRing, a_new_channel_takes_its_share_and_nothing_moves_between_the_others) {
  std::vector<int> before(kKeys, 0);
  for (int channels = 2; channels <= kMost; ++channels) {
    const HashRing ring(channels);
    double moved = 0;
    for (std::uint64_t key = 0; key < kKeys; ++key) {
      const int now = ring.channel_of(base::hash64(key));
      if (now != before[key]) {
        ASSERT_EQ(now, channels - 1) << "key " << key << " moved from channel " << before[key];
        ++moved;
      }
      before[key] = now;
    }
    const double expected = static_cast<double>(kKeys) / channels;
    EXPECT_GT(moved, 0.70 * expected) << channels;
    EXPECT_LT(moved, 1.30 * expected) << channels;
  }
}

TEST(HashRing, every_channel_has_about_its_share_of_the_keys) {
  for (int channels = 1; channels <= kMost; ++channels) {
    const HashRing ring(channels);
    std::vector<int> keys(static_cast<std::size_t>(channels), 0);
    for (std::uint64_t key = 0; key < kKeys; ++key) {
      ++keys[static_cast<std::size_t>(ring.channel_of(base::hash64(key)))];
    }
    const double mean = static_cast<double>(kKeys) / channels;
    EXPECT_GT(*std::ranges::min_element(keys), 0.70 * mean) << channels;
    EXPECT_LT(*std::ranges::max_element(keys), 1.35 * mean) << channels;
  }
}

TEST(HashRing, many_keys_at_once_belong_where_each_one_does) {
  const HashRing ring(5);
  std::vector<std::uint64_t> hashes;
  for (std::uint64_t key = 0; key < 100; ++key) hashes.push_back(base::hash64(key));
  std::vector<std::int32_t> owners(hashes.size());
  ring.channels_of(hashes, owners);
  for (std::size_t row = 0; row < hashes.size(); ++row) {
    EXPECT_EQ(owners[row], ring.channel_of(hashes[row]));
  }
}

TEST(HashRing, refuses_to_have_no_channel_and_more_than_it_can_count) {
  EXPECT_THROW(HashRing(0), std::invalid_argument);
  EXPECT_THROW(HashRing(-1), std::invalid_argument);
  EXPECT_THROW(HashRing(HashRing::kMostChannels + 1), std::invalid_argument);
}

}  // namespace
}  // namespace penstock::region
