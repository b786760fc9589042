#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "penstock/elastic/concave_fit.hpp"
#include "penstock/elastic/throughput_curve.hpp"

namespace penstock::elastic {

// What a curve looks like once noise is taken out, as far as its shape tells noise from signal.
//
// A further percent of threads brings at most as many percent of throughput as the one before: the
// curve is concave where both axes are logarithms. That holds alike for a linear rise, a plateau, a
// loss by contention, Amdahl's law and the universal scalability law. So neighbours correct each
// other, and the lines through measured levels bound what the levels between them can yield.
class CurveShape {
 public:
  struct Estimate {
    int level = 0;
    // By the shape; it differs from the mean of the samples by at most the sensitivity, since a
    // plant that is not concave must not be argued away.
    double throughput = 0;
    double mean = 0;
    int samples = 0;
  };

  // The curve must have a record, and one of them above 0. `sensitivity` is taken to be twice the
  // standard deviation of a sample.
  CurveShape(const ThroughputCurve& curve, double sensitivity);

  // By rising level.
  [[nodiscard]] const std::vector<Estimate>& estimates() const noexcept { return estimates_; }
  [[nodiscard]] const Estimate& best() const;
  // The level to use. Of the levels about as good as the best it is one near the lower end, but
  // not the lowest: an end of them is where the luck of a sample is most likely to have put it.
  [[nodiscard]] const Estimate& choice() const;
  // The most a level, measured or not, may yield without contradicting what was measured.
  [[nodiscard]] double most_at(int level) const;
  // A level that was measured once and by now contradicts its neighbours: one of the three is no
  // longer true, and this is the oldest of them. Empty when all fit, or were measured again.
  [[nodiscard]] std::optional<std::size_t> doubtful() const;

 private:
  [[nodiscard]] double bound_by_lines(double x, std::size_t below, std::size_t above) const;
  [[nodiscard]] double on_line(double x, std::size_t near, std::size_t far) const;
  [[nodiscard]] double error(std::size_t i) const;

  double sensitivity_;
  // The best mean: measured in it, numbers of any size have a logarithm.
  double unit_;
  std::vector<Estimate> estimates_;
  // Logarithms of level and of throughput in units: the points, and the concave fit to them.
  std::vector<FitPoint> points_;
  std::vector<double> fit_;
  std::vector<std::uint64_t> times_;
};

}  // namespace penstock::elastic
