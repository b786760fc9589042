#include "penstock/region/branches.hpp"

#include <numeric>
#include <utility>

#include "penstock/base/check.hpp"

namespace penstock::region {

// A tuple on its way through the branches.
struct Branches::Kept final : graph::Pieces {
  std::vector<std::int32_t> all;            // the numbers of its rows
  std::vector<std::vector<Fragment>> made;  // by branch
};

Branches::Branches(const tuple::Schema& output, std::vector<Channel> branches)
    : merger_(output, Merger::Tells::kRows), branches_(std::move(branches)) {
  PENSTOCK_CHECK(!branches_.empty(), "rows need a branch to go to");
}

std::unique_ptr<graph::Pieces> Branches::cut(const tuple::Tuple& tuple,
                                             const graph::Division& /*division*/,
                                             std::unique_ptr<graph::Pieces> used) const {
  if (used == nullptr) used = std::make_unique<Kept>();
  auto& kept = static_cast<Kept&>(*used);  // NOLINT(*-downcast): nobody else makes pieces
  kept.all.resize(static_cast<std::size_t>(tuple.batch.rows()));
  std::iota(kept.all.begin(), kept.all.end(), 0);
  kept.made.resize(branches_.size());
  for (auto& made : kept.made) made.clear();
  return used;
}

void Branches::process_part(int part, const tuple::Tuple& tuple, graph::Pieces& pieces) {
  auto& kept = static_cast<Kept&>(pieces);  // NOLINT(*-downcast): cut() made them
  const auto at = static_cast<std::size_t>(part);
  graph::FirstFailure failure;
  kept.made[at] = branches_[at].process({.batch = tuple.batch, .rows = kept.all}, true, failure);
  failure.raise();
}

void Branches::join(const tuple::Tuple& /*tuple*/, std::int64_t rows, graph::Pieces& pieces,
                    graph::Output& output) const {
  auto& kept = static_cast<Kept&>(pieces);  // NOLINT(*-downcast): cut() made them
  merger_.merge(kept.made, rows, output);
}

// Inside a branch one operator after the other, as on one thread: what the first gives at the end
// is worked on by the next before that one comes to its own end.
void Branches::finish(graph::Output& output) {
  for (Channel& branch : branches_) {
    for (std::size_t at = 0; at < branch.members().size(); ++at) {
      graph::FirstFailure failure;
      const Channel::Ending ending = branch.finish(at, failure);
      if (failure)
        throw graph::FailedAtRow(graph::FailedAtRow::kUnknownRow, failure.cause(),
                                 failure.get().inner());
      for (const Fragment& fragment : ending.made) output.emit(fragment.batch, 0);
    }
  }
}

// NOLINTNEXTLINE(misc-no-recursion): branches nest
void Branches::for_each_state(const VisitState& visit) {
  for (const Channel& branch : branches_) {
    for (const auto& member : branch.members()) {
      if (auto* const inner = dynamic_cast<Branches*>(member.body.get())) {
        inner->for_each_state(visit);
      } else if (KeyedState* const state = member.state()) {
        visit(member.name, 0, *state);
      }
    }
  }
}

}  // namespace penstock::region
