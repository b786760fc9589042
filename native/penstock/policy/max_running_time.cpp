#include "penstock/policy/max_running_time.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "penstock/policy/choose.hpp"

namespace penstock::policy {

namespace {

constexpr double kForEver = std::numeric_limits<double>::infinity();

double until_used_up(std::int64_t tuples, double rate) {
  return rate > 0 ? static_cast<double>(tuples) / rate : kForEver;
}

double running_time(const OperatorView& view) {
  const double reading = view.source ? kForEver : until_used_up(view.waiting, view.read_rate);
  const bool bounded = view.room != OperatorView::kUnlimited;
  return std::min(reading, bounded ? until_used_up(view.room, view.write_rate) : kForEver);
}

}  // namespace

int MaxRunningTime::pick(std::span<const OperatorView> operators, double /*now*/) {
  return least(operators, [&](std::size_t i) { return -running_time(operators[i]); });
}

}  // namespace penstock::policy
