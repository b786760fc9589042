#include <cstdint>

#include "bench/ordered/queries/common_steps.hpp"
#include "bench/ordered/queries/steps.hpp"

namespace penstock::bench::queries {

namespace {

constexpr std::int64_t kOutputs = 50;  // of each row (P19)

// One of a thousand, in turn, and never the same twice in what is made of one row.
[[nodiscard]] constexpr std::int64_t item_of(std::int64_t made) noexcept {
  constexpr std::int64_t kStep = 389;
  constexpr std::int64_t kItems = 1'000;
  return made * kStep % kItems;
}

}  // namespace

std::vector<Step> fan_steps(const Input& /*input*/, std::size_t partitions) {
  const auto spread = [](std::size_t, Row& row, Unit& out) {
    for (std::int64_t i = 0; i < kOutputs; ++i) {
      out.add({.at = row.at, .time = row.time, .item = item_of(kOutputs * row.at + i)});
    }
  };
  return {{.kind = Kind::kStateless, .work = spread},
          running_count(partitions, [](const Row& row) { return row.item; })};
}

}  // namespace penstock::bench::queries
