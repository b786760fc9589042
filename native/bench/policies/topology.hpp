#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace penstock::bench::policies {

// An operator of the simulated machine.
struct Node {
  std::int64_t cost_ns = 0;
  double selectivity = 1;    // tuples made of one, on average, by lot
  int most_workers = 1;      // what several make at a time is put into order behind them
  bool source = false;       // makes tuples out of nothing
  bool merges = false;       // passes tuples on in the order of the source
  std::vector<int> outputs;  // one of them, by lot, for each tuple (A42); without any they leave
};

// Operators in topological order.
struct Topology {
  std::vector<Node> nodes;
  bool one_order = true;  // false where tuples only keep the order of the way they went

  // How often an operator is run for each tuple that comes in, on average.
  [[nodiscard]] std::vector<double> visits() const;
  // Tuples a second that so many workers get through at best.
  [[nodiscard]] double capacity(int workers) const;
  // Whether so many can all have work for ever. Where they cannot, an operator that may not have
  // more of them is the limit, and what waits before it grows as long as tuples come.
  [[nodiscard]] bool employs(int workers) const;
};

// Sahin & Gedik 2018, §5.1: a source and busy operators, which alone have the given cost.
struct Busy {
  std::int64_t cost_ns = 100'000;
  std::int64_t end_ns = 10'000;  // of a source, and of what merges
  double selectivity = 1;
};
[[nodiscard]] Topology chain(int operators, const Busy& busy);
[[nodiscard]] Topology data_parallel(int operators, const Busy& busy);
// Two branches behind each operator, `depth` of them one behind the other: 2^depth - 1 in all.
[[nodiscard]] Topology tree(int depth, const Busy& busy);
[[nodiscard]] Topology reverse_tree(int depth, const Busy& busy);

// Prasaad et al. 2018, Table 1: the pipeline of a query for so many workers. The kinds of operators
// are the paper's, which says nothing of costs and selectivities: these are given here.
[[nodiscard]] Topology query(std::string_view name, int workers);
[[nodiscard]] std::vector<std::string_view> query_names();

}  // namespace penstock::bench::policies
