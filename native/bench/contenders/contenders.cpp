#include "bench/contenders/contenders.hpp"

#include <array>

namespace penstock::bench {

std::span<const ContenderEntry> own_contenders() {
  static constexpr auto kEntries = std::to_array<ContenderEntry>({
      {.name = "chain", .make = make_chain},
      {.name = "as-printed", .make = make_as_printed},
      {.name = "manual", .make = make_manual},
      {.name = "conveyor", .make = make_conveyor},
      {.name = "automatic", .make = make_automatic},
      {.name = "dynamic", .make = make_dynamic},
      {.name = "dynamic-lru", .make = make_dynamic_lru},
      {.name = "dedicated", .make = make_dedicated},
  });
  return kEntries;
}

}  // namespace penstock::bench
