#include "penstock/elastic/concave_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace penstock::elastic {

namespace {

// Hildreth's method: push where the bend is wrong until nothing moves. A push goes further than
// needed, which needs fewer of them where many points share a line.
constexpr double kHaste = 1.7;
constexpr int kMostSweeps = 2000;
constexpr double kCloseEnough = 1e-7;

// "The middle one of three neighbours lies on or above the line through the outer two."
struct Bend {
  std::array<double, 3> factor{};
  double stiffness = 0;
  double force = 0;
};

}  // namespace

std::vector<double> concave_fit(std::span<const FitPoint> points) {
  std::vector<double> fit;
  for (const FitPoint& point : points) fit.push_back(point.y);
  if (points.size() < 3) return fit;
  std::vector<Bend> bends(points.size() - 2);
  for (std::size_t i = 0; i < bends.size(); ++i) {
    const double share = (points[i + 1].x - points[i].x) / (points[i + 2].x - points[i].x);
    bends[i].factor = {1 - share, -1, share};
    for (std::size_t k = 0; k < 3; ++k) {
      bends[i].stiffness += bends[i].factor[k] * bends[i].factor[k] / points[i + k].weight;
    }
  }
  double moved = 1;
  for (int sweep = 0; sweep < kMostSweeps && moved > kCloseEnough; ++sweep) {
    moved = 0;
    for (std::size_t i = 0; i < bends.size(); ++i) {
      Bend& bend = bends[i];
      double violation = 0;
      for (std::size_t k = 0; k < 3; ++k) violation += bend.factor[k] * fit[i + k];
      const double force = std::max(0.0, bend.force + kHaste * violation / bend.stiffness);
      const double change = force - bend.force;
      bend.force = force;
      for (std::size_t k = 0; k < 3; ++k) {
        fit[i + k] -= change * bend.factor[k] / points[i + k].weight;
      }
      moved = std::max(moved, std::abs(change));
    }
  }
  return fit;
}

}  // namespace penstock::elastic
