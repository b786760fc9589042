#include "penstock/elastic/throughput.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace penstock::elastic {

void check_throughput(double throughput) {
  if (std::isfinite(throughput) && throughput >= 0) return;
  throw std::invalid_argument("throughput is " + std::to_string(throughput) +
                              "; it must be a finite number of tuples per second, 0 or more");
}

std::string number(double value) {
  std::array<char, 32> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 4);
  return {text.data(), end.ptr};
}

}  // namespace penstock::elastic
