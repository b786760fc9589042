#include "penstock/elastic/throughput.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <stdexcept>

namespace penstock::elastic {

void check_throughput(double throughput) {
  if (std::isfinite(throughput) && throughput >= 0) return;
  throw std::invalid_argument("throughput is " + std::to_string(throughput) +
                              "; it must be a finite number of tuples per second, 0 or more");
}

std::string number(double value) {
  constexpr double kLong = 1e4;  // from here on people count in thousands
  constexpr std::array<const char*, 4> kUnits{"", " k", " M", " G"};
  std::size_t unit = 0;
  if (value >= kLong) {
    for (; value >= 1000 && unit + 1 < kUnits.size(); ++unit) value /= 1000;
  }
  std::array<char, 32> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 4);
  return std::string(text.data(), end.ptr) + kUnits[unit];
}

}  // namespace penstock::elastic
