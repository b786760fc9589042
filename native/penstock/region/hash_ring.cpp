#include "penstock/region/hash_ring.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>
#include <string>

#include "penstock/base/check.hpp"

namespace penstock::region {

namespace {

constexpr std::uint32_t kSeed = 0x52494E47;  // "RING"

struct Point {
  base::Hash128 place;
  std::int16_t owner;

  // The lower channel has the point if two share a place, so that a new channel takes none away.
  friend auto operator<=>(const Point&, const Point&) noexcept = default;
};

std::vector<Point> sorted_points(int channels) {
  std::vector<Point> points;
  points.reserve(static_cast<std::size_t>(channels) * HashRing::kPointsPerChannel);
  for (int channel = 0; channel < channels; ++channel) {
    for (int index = 0; index < HashRing::kPointsPerChannel; ++index) {
      points.push_back(
          {.place = HashRing::point(channel, index), .owner = static_cast<std::int16_t>(channel)});
    }
  }
  std::ranges::sort(points);
  return points;
}

}  // namespace

base::Hash128 HashRing::point(int channel, int index) noexcept {
  const auto number = static_cast<std::uint64_t>(channel);
  // The bytes of a little-endian pair of 64-bit numbers: (channel, index).
  unsigned char bytes[16];  // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
  for (unsigned at = 0; at < 8; ++at) {
    bytes[at] = static_cast<unsigned char>(number >> (8 * at));
    bytes[8 + at] = static_cast<unsigned char>(static_cast<std::uint64_t>(index) >> (8 * at));
  }
  return base::hash128(bytes, sizeof(bytes), kSeed);
}

HashRing::HashRing(int channels) : channels_(channels) {
  if (channels < 1 || channels > kMostChannels) {
    throw std::invalid_argument("a ring has 1 to " + std::to_string(kMostChannels) +
                                " channels, but " + std::to_string(channels) + " were asked for");
  }
  const auto points = sorted_points(channels);
  for (const Point& point : points) {
    points_.push_back(point.place.high);
    lows_.push_back(point.place.low);
    owners_.push_back(point.owner);
  }
  // Behind the last point the ring begins again: the end stands for the first point.
  points_.push_back(std::numeric_limits<std::uint64_t>::max());
  lows_.push_back(std::numeric_limits<std::uint64_t>::max());
  owners_.push_back(owners_.front());

  const std::size_t segments = std::bit_ceil(2 * points.size());
  shift_ = 64U - static_cast<unsigned>(std::countr_zero(segments));
  segments_.resize(segments);
  std::uint32_t at = 0;
  for (std::size_t segment = 0; segment < segments; ++segment) {
    while (points_[at] < static_cast<std::uint64_t>(segment) << shift_) ++at;
    segments_[segment] = at;
  }
}

std::uint32_t HashRing::at_tie(std::uint64_t hash, std::uint32_t at) const noexcept {
  const std::uint64_t low = base::hash64(hash);
  const auto end = static_cast<std::uint32_t>(points_.size() - 1);
  while (at < end && points_[at] == hash && lows_[at] < low) ++at;
  return at;
}

void HashRing::channels_of(std::span<const std::uint64_t> hashes,
                           std::span<std::int32_t> out) const {
  PENSTOCK_CHECK(out.size() == hashes.size(), "each hash needs a place for its channel");
  for (std::size_t row = 0; row < hashes.size(); ++row) out[row] = channel_of(hashes[row]);
}

}  // namespace penstock::region
