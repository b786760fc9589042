#include "penstock/ops/distinct_sketch.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>

namespace penstock::ops {

namespace {

double sigma(double x) noexcept {
  if (x == 1.0) return std::numeric_limits<double>::infinity();
  double y = 1;
  double z = x;
  for (double before = -1; before != z; y += y) {
    x *= x;
    before = z;
    z += x * y;
  }
  return z;
}

double tau(double x) noexcept {
  if (x == 0.0 || x == 1.0) return 0;
  double y = 1;
  double z = 1 - x;
  for (double before = -1; before != z;) {
    x = std::sqrt(x);
    before = z;
    y *= 0.5;
    z -= (1 - x) * (1 - x) * y;
  }
  return z / 3;
}

}  // namespace

void DistinctSketch::add(std::uint64_t hash) {
  if (dense_) {
    dense_->add(hash);
    return;
  }
  const auto place = std::ranges::lower_bound(few_, hash);
  if (place != few_.end() && *place == hash) return;
  if (few_.size() < kFew) {
    few_.insert(place, hash);
    return;
  }
  dense_ = std::make_unique<Dense>();
  for (const auto each : few_) dense_->add(each);
  dense_->add(hash);
  few_ = {};
}

void DistinctSketch::Dense::add(std::uint64_t hash) noexcept {
  const auto rest = hash << static_cast<unsigned>(kIndexBits);
  const auto rank = static_cast<std::uint8_t>(std::min(std::countl_zero(rest), kRankBits) + 1);
  auto& known = registers[hash >> static_cast<unsigned>(kRankBits)];
  if (rank <= known) return;
  --of_rank[known];
  ++of_rank[rank];
  known = rank;
  estimate();
}

void DistinctSketch::Dense::estimate() noexcept {
  constexpr double kAll = kRegisters;
  double z = kAll * tau(1 - (of_rank[kRankBits + 1] / kAll));
  for (int rank = kRankBits; rank >= 1; --rank) {
    z = (z + of_rank[static_cast<std::size_t>(rank)]) * 0.5;
  }
  z += kAll * sigma(of_rank[0] / kAll);
  count = std::llround(kAll * kAll / (2 * std::numbers::ln2 * z));
}

void DistinctSketch::save(std::string& out) const {
  const auto append = [&out](const auto& values) {
    if (values.empty()) return;
    const auto begin = out.size();
    out.resize(begin + (values.size() * sizeof(values[0])));
    std::memcpy(out.data() + begin, values.data(), values.size() * sizeof(values[0]));
  };
  dense_ ? append(dense_->registers) : append(few_);
}

void DistinctSketch::restore(std::string_view saved) {
  few_.clear();
  dense_.reset();
  // Few of them take less than the registers do.
  if (saved.size() != kRegisters) {
    few_.resize(saved.size() / sizeof(few_[0]));
    if (!few_.empty()) {
      std::memcpy(few_.data(), saved.data(), few_.size() * sizeof(few_[0]));
    }
    return;
  }
  dense_ = std::make_unique<Dense>();
  std::memcpy(dense_->registers.data(), saved.data(), kRegisters);
  dense_->of_rank = {};
  for (const auto rank : dense_->registers) {
    ++dense_->of_rank[std::min<std::size_t>(rank, kRankBits + 1)];
  }
  dense_->estimate();
}

}  // namespace penstock::ops
