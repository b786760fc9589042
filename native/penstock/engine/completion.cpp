#include "penstock/engine/completion.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

#include "penstock/graph/divided_operator.hpp"

namespace penstock::engine {

bool keeps_pace(const graph::Node& node) {
  return node.kind != graph::Kind::kStateless &&
         dynamic_cast<const graph::DividedOperator*>(node.body.get()) == nullptr;
}

Completion::Completion(const graph::Topology& topology)
    : topology_(&topology),
      place_(static_cast<std::size_t>(topology.size())),
      last_word_(place_.size(), -1),
      own_(place_.size(), kNever),
      since_(place_.size() + 1) {
  for (auto& each : since_) each.store(kNever, std::memory_order_relaxed);
  for (int place = 0; place < topology.size(); ++place) {
    place_[static_cast<std::size_t>(topology.order()[static_cast<std::size_t>(place)])] = place;
  }
  find_last_words();
}

void Completion::complete(int node, std::uint64_t serial) {
  // Two that complete at the same time must not both miss that nobody is left behind a third.
  const std::scoped_lock lock(mutex_);
  auto& own = own_[static_cast<std::size_t>(node)];
  own = std::min(own, serial);
  const Runs since = spread(own_);
  for (std::size_t i = 0; i < since.size(); ++i) {
    since_[i].store(since[i], std::memory_order_relaxed);
  }
  since_.back().store(end_of(topology_->first(), since), std::memory_order_relaxed);
}

std::uint64_t Completion::end_of(std::span<const graph::Target> targets, const Runs& since) {
  std::uint64_t end = 0;
  for (const graph::Target& target : targets) {
    if (target.node == graph::kSink) return kNever;
    end = std::max(end, since[static_cast<std::size_t>(target.node)]);
  }
  return end;
}

std::uint64_t Completion::end_behind(int node, const Runs& since) const {
  const auto& outputs = topology_->node(node).outputs;
  if (outputs.empty()) return kNever;  // it does something else than to make rows
  std::uint64_t end = 0;
  for (const auto& targets : outputs) end = std::max(end, end_of(targets, since));
  return end;
}

// Each path to the sink ends with the first of its operators, and an operator with the last of its
// paths. From below, so that a circle does not keep itself alive; once against the order unless
// edges lead back.
Completion::Runs Completion::spread(const Runs& own) const {
  Runs since(own.size(), 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (const int node : std::views::reverse(topology_->order())) {
      const auto index = static_cast<std::size_t>(node);
      const auto found = std::min(own[index], end_behind(node, since));
      changed = changed || found != since[index];
      since[index] = found;
    }
  }
  return since;
}

// As if everybody who can complete had done so: who is needed even then is always needed. Of all
// others those have the last word who can complete behind them.
void Completion::find_last_words() {
  Runs own(own_.size(), kNever);
  for (int node = 0; node < topology_->size(); ++node) {
    if (keeps_pace(topology_->node(node))) own[static_cast<std::size_t>(node)] = 0;
  }
  const Runs since = spread(own);
  std::vector<int> last(own.size(), -1);
  for (bool changed = true; changed;) {
    changed = false;
    for (const int node : std::views::reverse(topology_->order())) {
      int found = -1;
      for (const auto& target : std::views::join(topology_->node(node).outputs)) {
        if (target.node == graph::kSink) continue;
        const auto index = static_cast<std::size_t>(target.node);
        found = std::max({found, last[index], own[index] == 0 ? place(target.node) : -1});
      }
      changed = changed || found != std::exchange(last[static_cast<std::size_t>(node)], found);
    }
  }
  for (int node = 0; node < topology_->size(); ++node) {
    const auto index = static_cast<std::size_t>(node);
    if (end_behind(node, since) != kNever) last_word_[index] = last[index];
  }
}

// Nobody may go on after an interrupt.
bool Completion::in_vain(const OperatorFailure& failure, const FlowRun& run) const {
  return !failure.interrupted && since(failure.node) < run.serial;
}

// A failure that may still turn out to be in vain does not concern those who need nothing of it.
// Whoever does is complete if it is.
bool Completion::concerns(const OperatorFailure& failure, const FlowRun& run, int node) const {
  if (in_vain(failure, run)) return false;
  const bool in_doubt = place(node) < last_word_[static_cast<std::size_t>(failure.node)];
  return !in_doubt || leads(failure.node, node, run.serial);
}

// Past operators that are complete for this run nothing leads on.
bool Completion::leads(int from, int to, std::uint64_t serial) const {
  std::vector<bool> reached(place_.size());
  reached[static_cast<std::size_t>(from)] = true;
  for (int at = place(from); at < place(to); ++at) {
    const int node = topology_->order()[static_cast<std::size_t>(at)];
    if (!reached[static_cast<std::size_t>(node)] || since(node) < serial) continue;
    for (const auto& target : std::views::join(topology_->node(node).outputs)) {
      if (target.node != graph::kSink) reached[static_cast<std::size_t>(target.node)] = true;
    }
  }
  return reached[static_cast<std::size_t>(to)];
}

bool Completion::keeps_out(const FlowRun& run, int node) const {
  return std::ranges::any_of(run.failures, [&](const OperatorFailure& failure) {
    return !failure.after_good_rows && concerns(failure, run, node);
  });
}

bool Completion::may_finish(const FlowRun& run, int node) const {
  return std::ranges::none_of(
      run.failures, [&](const OperatorFailure& failure) { return concerns(failure, run, node); });
}

void Completion::settle(FlowRun& run) const {
  for (auto& failure : run.failures) {
    if (in_vain(failure, run)) continue;
    // Behind good rows others were run, on no more than those: a failure there is of an earlier
    // row.
    run.failure = std::move(failure);
    if (!run.failure->after_good_rows) break;
  }
  run.failures.clear();
}

}  // namespace penstock::engine
