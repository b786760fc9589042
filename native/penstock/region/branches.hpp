#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "penstock/graph/divided_operator.hpp"
#include "penstock/region/channel.hpp"
#include "penstock/region/keyed_state.hpp"
#include "penstock/region/merger.hpp"
#include "penstock/tuple/schema.hpp"

namespace penstock::region {

// Chains of operators that part and come together: every row goes to every branch, and what they
// make is put together by the row it came from, and of one row by branch. A branch sees all rows
// in their order, one thread at a time, so its operators may remember whatever they like.
//
// Where whoever reads the rows tells branches apart it can learn when one has ended, because an
// operator in it is complete: those behind it come to their ends there, and a row that says so
// follows what they give. In the stream it has its place whatever the threads do (A35, A36).
class Branches final : public graph::DividedOperator {
 public:
  // All branches make rows of the schema `output`. A branch without operators passes rows on.
  // `closings` has, for each branch, the row that says that it has ended; none if nobody asks.
  Branches(const tuple::Schema& output, std::vector<Channel> branches,
           std::vector<tuple::Batch> closings = {});

  [[nodiscard]] int parts() const noexcept override { return static_cast<int>(branches_.size()); }
  [[nodiscard]] bool row_by_row() const noexcept override {
    return std::ranges::all_of(branches_, &Channel::row_by_row);
  }
  [[nodiscard]] std::unique_ptr<graph::Pieces> cut(
      const tuple::Tuple& tuple, const graph::Division& division,
      std::unique_ptr<graph::Pieces> used) const override;
  void process_part(int part, const tuple::Tuple& tuple, graph::Pieces& pieces) override;
  void join(const tuple::Tuple& tuple, std::int64_t rows, graph::Pieces& pieces,
            graph::Output& output) const override;
  // One branch after the other.
  void finish(graph::Output& output) override;

  // What each operator knows, also of branches inside branches. While nothing is under way.
  void for_each_state(const VisitState& visit);

 private:
  struct Kept;

  void end(std::size_t branch, std::vector<Fragment>& made, graph::FirstFailure& failure);

  Merger merger_;
  std::vector<Channel> branches_;
  std::vector<tuple::Batch> closings_;  // by branch
  std::vector<char> ended_;             // by branch: its closing row is out
};

}  // namespace penstock::region
