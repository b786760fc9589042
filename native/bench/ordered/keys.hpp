#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace penstock::bench::ordered {

enum class Spread { kNone, kUniform, kZipf, kGaussian };

// How often which key occurs.
struct KeyChoice {
  Spread spread = Spread::kNone;
  std::uint32_t keys = 1000;
  double exponent = 1.2;  // of zipf
  double mean = 0.5;      // of gaussian, on the scale from -1 to 1 (P16). Around 0 it would fall
  double sigma = 0.2;     // evenly on two workers, and not be skewed at all (E19).
};

// So many keys, drawn beforehand and the same on every machine: drawing them while the clock
// runs would be measured with the rest.
[[nodiscard]] std::vector<std::uint32_t> draw_keys(const KeyChoice& choice, std::size_t count);

// Neighbouring keys share a partition where they are spread by a curve (range partitioning), and
// are scattered otherwise.
[[nodiscard]] std::size_t partition_of(std::uint32_t key, const KeyChoice& choice,
                                       std::size_t partitions) noexcept;

}  // namespace penstock::bench::ordered
