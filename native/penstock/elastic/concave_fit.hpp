#pragma once

#include <span>
#include <vector>

namespace penstock::elastic {

// A measured point: where, how much, and how many samples it is the mean of.
struct FitPoint {
  double x = 0;
  double y = 0;
  double weight = 1;
};

// The concave function nearest to the points (weighted least squares), as its values at each of
// them. `points` rise in x. Points that bend the right way are kept; where noise bends them the
// other way they share one line, so that neighbours correct each other.
[[nodiscard]] std::vector<double> concave_fit(std::span<const FitPoint> points);

}  // namespace penstock::elastic
