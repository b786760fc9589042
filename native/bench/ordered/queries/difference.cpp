#include "bench/ordered/queries/difference.hpp"

#include <cstddef>
#include <map>
#include <tuple>

#include "bench/workload/sink.hpp"

namespace penstock::bench::queries {

namespace {

[[nodiscard]] auto columns(const Output& output) noexcept {
  return std::tuple(output.at, output.who, output.item, output.other, output.amount);
}

}  // namespace

Difference difference(const std::vector<Output>& wanted, const std::vector<Output>& found) {
  if (found == wanted) return {};
  std::map<decltype(columns({})), std::uint64_t> places;
  for (std::size_t i = 0; i < wanted.size(); ++i) places[columns(wanted[i])] = i;
  Difference made;
  Sink sink;
  for (const Output& output : found) {
    const auto place = places.find(columns(output));
    if (place == places.end()) {
      ++made.wrong;
    } else {
      sink.take({.serial = place->second});
    }
  }
  made.lost = sink.lost(wanted.size());
  made.duplicated = sink.duplicated();
  made.out_of_order = sink.out_of_order();
  return made;
}

}  // namespace penstock::bench::queries
