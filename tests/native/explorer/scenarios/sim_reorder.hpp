#pragma once

#include <cstdint>
#include <string>

#include "explorer/scenario.hpp"
#include "explorer/sim_sync.hpp"

namespace penstock::explorer {

// Workers take numbers and bring what belongs to them, for every third number nothing. Only the
// scheme is mutated: what checks it is not.
template <typename Scheme>
void bring_all(Scheme& reorder, int workers, std::uint64_t units) {
  SimSync::Atomic<std::uint64_t> numbers{0};
  SimSync::Plain<std::uint64_t> next{0};
  const auto send = [&](std::uint64_t&& unit) noexcept {
    auto& expected = SimSync::write(next);
    if (expected % 3 == 1) ++expected;
    expect(unit == expected++, "units leave in order");
  };
  Crew crew;
  for (int worker = 0; worker < workers; ++worker) {
    crew.add("worker " + std::to_string(worker), [&] {
      for (;;) {
        const auto serial = numbers.fetch_add(1, std::memory_order_relaxed);
        if (serial >= units) return;
        auto unit = serial;
        while (!(serial % 3 == 1 ? reorder.try_skip(serial, send)
                                 : reorder.try_send(serial, unit, send))) {
          SimSync::yield();
        }
      }
    });
  }
  crew.join();
  expect(reorder.next_hint() == units, "nothing is left behind");
}

}  // namespace penstock::explorer
