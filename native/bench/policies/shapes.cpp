#include "bench/policies/shapes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace penstock::bench::policies {

namespace {

constexpr std::array<std::string_view, 4> kShapes{"chain", "dataParallel", "tree", "reverseTree"};
constexpr long kMostOperators = 1'000;
constexpr long kDeepest = 10;

[[nodiscard]] std::int64_t take_us(Request& request, const std::string& key, std::int64_t ns) {
  constexpr double kMost = 1e6;
  const double us = request.take_number(key, 1e-3 * static_cast<double>(ns));
  if (us <= kMost) return std::llround(1e3 * us);
  throw RequestError("'" + key + "' is above 1000000: that is the most a tuple can cost");
}

}  // namespace

bool Shape::is_query() const { return std::ranges::find(kShapes, name) == kShapes.end(); }

Topology Shape::topology(int workers) const {
  if (name == "chain") return chain(operators, busy);
  if (name == "dataParallel") return data_parallel(operators, busy);
  if (name == "tree") return tree(depth, busy);
  if (name == "reverseTree") return reverse_tree(depth, busy);
  return query(name, workers);
}

Shape take_shape(Request& request, bool with_queries) {
  std::vector<std::string_view> names(kShapes.begin(), kShapes.end());
  if (with_queries) std::ranges::copy(query_names(), std::back_inserter(names));
  Shape shape;
  shape.name = names[request.take_choice("topology", names)];
  if (shape.is_query()) return shape;
  const bool is_tree = shape.name == "tree" || shape.name == "reverseTree";
  if (is_tree) shape.depth = static_cast<int>(request.take_int("depth", shape.depth, 1, kDeepest));
  if (!is_tree) {
    shape.operators =
        static_cast<int>(request.take_int("operators", shape.operators, 1, kMostOperators));
  }
  shape.busy.cost_ns = take_us(request, "us", shape.busy.cost_ns);
  shape.busy.end_ns = take_us(request, "end_us", shape.busy.end_ns);
  // What merges waits for every tuple.
  if (shape.name != "dataParallel") {
    shape.busy.selectivity = request.take_number("selectivity", shape.busy.selectivity);
  }
  return shape;
}

}  // namespace penstock::bench::policies
