#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>

#include "penstock/elastic/level_series.hpp"
#include "penstock/elastic/utilization_decision.hpp"

namespace penstock::elastic {

struct UtilizationControllerOptions {
  ThreadRange range;
  // Busy for less than this part of the time, on average: one thread fewer (U_l).
  double low = 0.90;
  // For more: one thread more (U_h).
  double high = 0.95;
};

// Decides with how many threads a PE runs by how busy they are (Sahin & Gedik 2018, §4.1). Pure:
// utilization is an argument and a period is one call.
//
// As printed it adds a thread and takes it away for ever where the work of n threads is neither
// little enough for n nor enough for n + 1, which is so for any n below 9 (A39). So a thread goes
// only if the others are not too busy without it, and where one that was added went again, it
// is not added again while as much is done as then.
class UtilizationController {
 public:
  // Older decisions are forgotten, so that a flow may run for years.
  static constexpr std::size_t kDecisionsKept = 4096;

  // Throws std::invalid_argument, naming the value and what is allowed.
  explicit UtilizationController(const UtilizationControllerOptions& options);

  // To be called once per period with the part of its time that a thread was busy, on average over
  // level() threads. `cpu_ok` false forbids a rise; it never causes a fall. Throws
  // std::invalid_argument unless it is from 0 to 1.
  UtilizationDecision update(double utilization, bool cpu_ok = true);

  // Instead of update(), for a period in which the last decision was not followed yet.
  UtilizationDecision hold();

  // A level outside of the new limits is left at once.
  void set_least_level(int level);
  void set_most_level(int level);
  // Goes to that level, or the nearest that is allowed.
  void try_level(int level);

  [[nodiscard]] int level() const noexcept { return level_; }
  // Whether the last period measured gave no reason for a change.
  [[nodiscard]] bool settled() const noexcept { return settled_; }
  [[nodiscard]] ThreadRange range() const noexcept { return range_; }
  [[nodiscard]] const std::deque<UtilizationDecision>& decisions() const noexcept {
    return decisions_;
  }

 private:
  struct Step {
    int level = 0;
    UtilizationReason reason = UtilizationReason::kHeld;
    double other = 0;
  };
  // A level was left for the one above.
  struct Rise {
    double utilization = 0;
    bool in_vain = false;  // and that one for this one again
  };

  [[nodiscard]] Step next_step(double utilization, bool cpu_ok) const;
  [[nodiscard]] Step rise(bool cpu_ok) const;
  [[nodiscard]] Step fall(double utilization) const;
  void forget_what_is_past(double utilization);
  void remember(double utilization, int next);
  void set_range(ThreadRange range);
  const UtilizationDecision& decide(const Step& step, std::optional<double> utilization);

  ThreadRange range_;
  double low_;
  double high_;
  int level_;
  bool settled_ = false;
  std::map<int, Rise> rises_;  // by level
  std::uint64_t time_ = 0;
  std::deque<UtilizationDecision> decisions_;
};

}  // namespace penstock::elastic
