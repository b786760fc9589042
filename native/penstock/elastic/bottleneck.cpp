#include "penstock/elastic/bottleneck.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace penstock::elastic {

namespace {

void check_ratios(const Candidate& candidate, const char* port, const std::vector<double>& ratios) {
  for (const double ratio : ratios) {
    if (ratio >= 0 && ratio <= 1) continue;
    throw std::invalid_argument("operator '" + candidate.name + "': " + port +
                                " was blocked for a part of " + std::to_string(ratio) +
                                " of the time; it must be 0 to 1");
  }
}

}  // namespace

double checked_tau(double tau) {
  if (tau > 0 && tau <= 1) return tau;
  throw std::invalid_argument("tau is " + std::to_string(tau) +
                              "; it must be above 0 and at most 1, such as 0.01");
}

double input_blocked(const Candidate& candidate) {
  if (candidate.inputs.empty()) {
    throw std::invalid_argument("operator '" + candidate.name +
                                "' has no input; leave sources out, or give one ratio a replica");
  }
  check_ratios(candidate, "an input", candidate.inputs);
  return std::accumulate(candidate.inputs.begin(), candidate.inputs.end(), 0.0) /
         static_cast<double>(candidate.inputs.size());
}

double output_blocked(const Candidate& candidate) {
  check_ratios(candidate, "an output", candidate.outputs);
  return candidate.outputs.empty() ? 0 : std::ranges::max(candidate.outputs);
}

std::optional<std::size_t> bottleneck(std::span<const Candidate> candidates, double tau) {
  checked_tau(tau);
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Candidate& each = candidates[i];
    const bool is_one = input_blocked(each) >= tau && output_blocked(each) < tau;
    // Those behind it are looked at all the same: what is wrong with them is to be told.
    if (is_one && each.replicable && !found) found = i;
  }
  return found;
}

}  // namespace penstock::elastic
