// Policies of a user: good, silent, senseless.
#include <cstddef>
#include <cstdint>
#include <penstock_policy.h>

namespace {

struct Count {
  std::size_t operators;
};

void* create(std::size_t operators, std::uint64_t /*seed*/) { return new Count{operators}; }
void destroy(void* state) { delete static_cast<Count*>(state); }

// The first that can be taken.
std::int32_t first(void* state, const penstock_operator_view* views, std::size_t count, double) {
  if (static_cast<Count*>(state)->operators != count) return 1000;
  for (std::size_t i = 0; i < count; ++i) {
    const auto& view = views[i];
    const bool able = view.workers < view.most_workers && view.room > 0 && view.waiting > 0;
    if (able) return static_cast<std::int32_t>(i);
  }
  return PENSTOCK_NOBODY;
}

std::int32_t nobody(void*, const penstock_operator_view*, std::size_t, double) {
  return PENSTOCK_NOBODY;
}

std::int32_t nonsense(void*, const penstock_operator_view*, std::size_t, double) { return 4711; }

}  // namespace

PENSTOCK_EXPORT_POLICY(earliest) = {PENSTOCK_POLICY_ABI, create, destroy, first};
PENSTOCK_EXPORT_POLICY(silent) = {PENSTOCK_POLICY_ABI, nullptr, nullptr, nobody};
PENSTOCK_EXPORT_POLICY(senseless) = {PENSTOCK_POLICY_ABI, nullptr, nullptr, nonsense};
PENSTOCK_EXPORT_POLICY(empty) = {PENSTOCK_POLICY_ABI, nullptr, nullptr, nullptr};
PENSTOCK_EXPORT_POLICY(newer) = {PENSTOCK_POLICY_ABI + 1, nullptr, nullptr, nobody};
