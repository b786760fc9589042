#pragma once

#include <string_view>
#include <type_traits>

#include "penstock/base/sync.hpp"
#include "penstock/policy/policy.hpp"
#include "penstock/schedule/chosen_first.hpp"
#include "penstock/schedule/furthest_first.hpp"
#include "penstock/schedule/least_recent_first.hpp"

namespace penstock::schedule {

// Calls `use(std::type_identity<Policy>())` with the port policy that carries out the policy of
// that name, or its abbreviation. Two have lock-free sets of their own; every other, and one that a
// user compiled, asks the pure policy. Whoever measures policies chooses here, too, and so measures
// what runs.
template <base::SyncPolicy Sync = base::RealSync, typename Use>
decltype(auto) with_port_policy(std::string_view name, bool users_own, const Use& use) {
  if (users_own) return use(std::type_identity<ChosenFirst<Sync>>());
  const std::string_view word = policy::word_of(name);
  if (word == "lastInPipeline") return use(std::type_identity<FurthestFirst<Sync>>());
  if (word == "leastRecent") return use(std::type_identity<LeastRecentFirst<Sync>>());
  return use(std::type_identity<ChosenFirst<Sync>>());
}

}  // namespace penstock::schedule
