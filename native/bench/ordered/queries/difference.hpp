#pragma once

#include <cstdint>
#include <vector>

#include "bench/ordered/queries/row.hpp"

namespace penstock::bench::queries {

// How results differ from those wanted, all of which are different from each other.
struct Difference {
  std::uint64_t lost = 0;
  std::uint64_t duplicated = 0;
  std::uint64_t out_of_order = 0;
  std::uint64_t wrong = 0;  // that nobody wanted

  [[nodiscard]] bool none() const noexcept { return lost + duplicated + out_of_order + wrong == 0; }
};

[[nodiscard]] Difference difference(const std::vector<Output>& wanted,
                                    const std::vector<Output>& found);

}  // namespace penstock::bench::queries
