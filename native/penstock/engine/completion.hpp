#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <span>
#include <vector>

#include "penstock/engine/flow_run.hpp"
#include "penstock/graph/topology.hpp"

namespace penstock::engine {

// Whether runs pass an operator one at a time and in order, all of it: only such a one may pause or
// complete, because only there is a run before and a run after it.
[[nodiscard]] bool keeps_pace(const graph::Node& node);

// Which operators are complete, and since which run (A36): those that want no more rows, and those
// from which nothing leads to the sink but through them, be it along edges that lead back.
//
// Operators upstream are ahead, and may have worked at later runs already, or failed there. What
// they made is dropped on arrival. What failed there fails nobody: one thread would not have run
// it. Whether it is so is known at the latest behind the last operator that could complete, because
// all earlier runs have been there by then.
//
// Relaxed atomics will do: whoever misses that an operator is complete works in vain, and no more.
// Where it must be known, the run came from the station where it was written, or one like it from
// the run before, and handing over a run or a station hands over everything written before.
class Completion {
 public:
  static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

  explicit Completion(const graph::Topology& topology);

  // An operator that keeps pace wants nothing more, in the run with this number. By the thread
  // at its station; others may be at other stations.
  void complete(int node, std::uint64_t serial);

  [[nodiscard]] bool is_complete(int node) const noexcept { return since(node) != kNever; }
  // The run since which nobody wants the input.
  [[nodiscard]] std::uint64_t input_unwanted_since() const noexcept {
    return since_.back().load(std::memory_order_relaxed);
  }

  // Whether the run failed before it came to an operator that must not be run on it, then: the
  // failure counts, or it does not and the operator is complete for the same reason.
  [[nodiscard]] bool keeps_out(const FlowRun& run, int node) const;
  // The same for finish(), which is not called either where what is before the failure goes on.
  [[nodiscard]] bool may_finish(const FlowRun& run, int node) const;
  // For a run that has been everywhere: which of its failures counts.
  void settle(FlowRun& run) const;

 private:
  using Runs = std::vector<std::uint64_t>;

  [[nodiscard]] int place(int node) const { return place_[static_cast<std::size_t>(node)]; }
  [[nodiscard]] std::uint64_t since(int node) const noexcept {
    return since_[static_cast<std::size_t>(node)].load(std::memory_order_relaxed);
  }
  // Since when nothing leads on from these, given since when the operators are complete.
  [[nodiscard]] static std::uint64_t end_of(std::span<const graph::Target> targets,
                                            const Runs& since);
  [[nodiscard]] std::uint64_t end_behind(int node, const Runs& since) const;
  // Since when each is complete, given what they say themselves.
  [[nodiscard]] Runs spread(const Runs& own) const;
  void find_last_words();

  [[nodiscard]] bool in_vain(const OperatorFailure& failure, const FlowRun& run) const;
  [[nodiscard]] bool concerns(const OperatorFailure& failure, const FlowRun& run, int node) const;
  [[nodiscard]] bool leads(int from, int to, std::uint64_t serial) const;

  const graph::Topology* topology_;
  std::vector<int> place_;      // by operator: its place in the topological order
  std::vector<int> last_word_;  // by operator: the place from which on it is known to be needed
  std::mutex mutex_;
  Runs own_;                                       // by operator: since when it says so itself
  std::vector<std::atomic<std::uint64_t>> since_;  // by operator, and the input's
};

}  // namespace penstock::engine
