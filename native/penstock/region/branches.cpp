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

Branches::Branches(const tuple::Schema& output, std::vector<Channel> branches,
                   std::vector<tuple::Batch> closings)
    : merger_(output, Merger::Tells::kRows),
      branches_(std::move(branches)),
      closings_(std::move(closings)),
      ended_(branches_.size()) {
  PENSTOCK_CHECK(!branches_.empty(), "rows need a branch to go to");
  PENSTOCK_CHECK(closings_.empty() || closings_.size() == branches_.size(),
                 "every branch has a row that closes it, or none");
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
  if (ended_[at] != 0 || kept.all.empty()) return;
  graph::FirstFailure failure;
  kept.made[at] = branches_[at].process({.batch = tuple.batch, .rows = kept.all}, true, failure);
  if (branches_[at].unneeded() != 0) end(at, kept.made[at], failure);
  failure.raise();
}

void Branches::end(std::size_t branch, std::vector<Fragment>& made, graph::FirstFailure& failure) {
  Channel& ending = branches_[branch];
  const std::int32_t row = ending.completed_at();
  // Row by row, nobody would have worked on those behind it.
  if (failure && failure.get().row() > row) failure.clear();
  if (failure || closings_.empty()) return;
  ended_[branch] = 1;
  const auto add = [&](tuple::Batch batch) {
    std::vector<std::int32_t> rows(static_cast<std::size_t>(batch.rows()), row);
    made.push_back({.batch = std::move(batch), .rows = std::move(rows)});
  };
  for (std::size_t at = ending.unneeded(); at < ending.members().size(); ++at) {
    graph::FirstFailure last;
    for (Fragment& fragment : ending.finish(at, last).made) add(std::move(fragment.batch));
    if (last) {
      failure.add({row, last.cause(), last.get().inner()});
      return;
    }
  }
  add(closings_[branch]);
}

void Branches::join(const tuple::Tuple& /*tuple*/, std::int64_t rows, graph::Pieces& pieces,
                    graph::Output& output) const {
  auto& kept = static_cast<Kept&>(pieces);  // NOLINT(*-downcast): cut() made them
  merger_.merge(kept.made, rows, output);
}

// Inside a branch one operator after the other, as on one thread: what the first gives at the end
// is worked on by the next before that one comes to its own end.
void Branches::finish(graph::Output& output) {
  for (std::size_t number = 0; number < branches_.size(); ++number) {
    if (ended_[number] != 0) continue;
    Channel& branch = branches_[number];
    for (std::size_t at = branch.unneeded(); at < branch.members().size(); ++at) {
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
