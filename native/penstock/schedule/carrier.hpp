#pragma once

#include <chrono>
#include <optional>
#include <utility>

#include "penstock/schedule/doorbell.hpp"

namespace penstock::schedule {

// A scheduler as its threads see it: try_take() finds something to carry without waiting, and
// carry() carries it. What was taken is the taker's alone. Finding nothing means that there was
// nothing, or that a thread which is awake will look at it.
template <typename T>
concept Carrier = requires(T carrier) {
  { static_cast<bool>(carrier.try_take()) };
  carrier.carry(carrier.try_take());
  { static_cast<bool>(carrier.collectable()) };
};

// A carrier with a lane also takes out of it, for the feeder.
template <Carrier T>
[[nodiscard]] auto take_for_feeder(T& carrier) {
  if constexpr (requires { carrier.try_take(true); }) {
    return carrier.try_take(true);
  } else {
    return carrier.try_take();
  }
}

// What the feeder does when it has nothing to put in or to take out: carry like any worker, or
// sleep until there may be something to carry or to collect, or until `limit` has passed. True when
// something was carried.
template <Carrier T, base::SyncPolicy Sync>
bool lend_a_hand(T& carrier, Doorbell<Sync>& doorbell,
                 std::optional<std::chrono::nanoseconds> limit = {}) {
  auto work = take_for_feeder(carrier);
  if (!work) {
    work = doorbell.feeder_sleep([&carrier] { return take_for_feeder(carrier); },
                                 [&carrier] { return carrier.collectable(); }, limit);
  }
  if (!work) return false;
  carrier.carry(std::move(work));
  doorbell.feeder_carried();
  return true;
}

}  // namespace penstock::schedule
