#include "bench/ordered/keys.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace penstock::bench::ordered {

namespace {

constexpr std::uint64_t kSeed = 4;
constexpr std::uint64_t kScatter = 0x9E3779B97F4A7C15U;

// In [0, 1). The standard's own distributions differ from library to library.
[[nodiscard]] double draw(std::mt19937_64& random) {
  return static_cast<double>(random() >> 11U) * 0x1p-53;
}

[[nodiscard]] double draw_gaussian(std::mt19937_64& random, const KeyChoice& choice) {
  for (;;) {
    const double radius = std::sqrt(-2 * std::log(1 - draw(random)));
    const double value =
        choice.mean + choice.sigma * radius * std::cos(2 * std::numbers::pi * draw(random));
    if (value >= -1 && value < 1) return value;
  }
}

[[nodiscard]] std::vector<double> zipf_shares(const KeyChoice& choice) {
  std::vector<double> sums;
  sums.reserve(choice.keys);
  double sum = 0;
  for (std::uint32_t key = 0; key < choice.keys; ++key) {
    sums.push_back(sum += std::pow(key + 1.0, -choice.exponent));
  }
  for (double& each : sums) each /= sum;
  return sums;
}

}  // namespace

std::vector<std::uint32_t> draw_keys(const KeyChoice& choice, std::size_t count) {
  std::vector<std::uint32_t> keys(count);
  if (choice.spread == Spread::kNone) return keys;
  std::mt19937_64 random(kSeed);  // NOLINT(*-random-generator-seed): the same keys for everybody
  const auto shares = choice.spread == Spread::kZipf ? zipf_shares(choice) : std::vector<double>();
  for (auto& key : keys) {
    double place = 0;  // from 0 to 1
    if (choice.spread == Spread::kGaussian) {
      place = (draw_gaussian(random, choice) + 1) / 2;
    } else {
      place = draw(random);
    }
    key = choice.spread == Spread::kZipf
              ? static_cast<std::uint32_t>(std::ranges::upper_bound(shares, place) - shares.begin())
              : static_cast<std::uint32_t>(place * choice.keys);
    key = std::min(key, choice.keys - 1);
  }
  return keys;
}

std::size_t partition_of(std::uint32_t key, const KeyChoice& choice,
                         std::size_t partitions) noexcept {
  if (choice.spread == Spread::kGaussian) return key * partitions / choice.keys;
  return ((key + 1) * kScatter >> 32U) % partitions;
}

}  // namespace penstock::bench::ordered
