#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "penstock/elastic/bottleneck.hpp"
#include "penstock/elastic/channel_series.hpp"

namespace penstock::elastic {

enum class ReplicaReason {
  kBottleneck,    // one more for the operator that holds the others up
  kNoGain,        // one fewer: the last one brought nothing, and the operator still holds them up
  kBarred,        // the bottleneck has shown that more of it bring nothing
  kMostReplicas,  // the bottleneck has as many replicas as it may have
  kNoBottleneck,
  kHeld,  // the last change has not happened yet, so nothing was learnt
};

// The word for a reason in metrics and in Python, such as "no_bottleneck".
[[nodiscard]] std::string_view name(ReplicaReason reason);

struct ReplicaDecision {
  std::uint64_t period = 0;
  std::string name;  // of the operator; empty where it is about none
  int previous = 0;
  int replicas = 0;
  ReplicaReason reason = ReplicaReason::kHeld;
  std::optional<double> before;  // throughput, as in other decisions
  std::optional<double> after;
  double other = 0;  // the throughput the reason compares with, or how long the input was blocked
};

// A sentence such as "operator 'a': 1 -> 2 replicas: its input was blocked for 34 % of the time".
[[nodiscard]] std::string to_text(const ReplicaDecision& decision);

struct ReplicaControllerOptions {
  double tau = kBlocked;
  // Throughput must rise by this, relatively, or by half of what one more would ideally bring.
  double margin = 0.05;
  // After so many periods an operator of which one more brought nothing is tried again; 0 is never.
  int age = 12;
};

// Adds one replica each period to the operator that is the bottleneck (Sahin & Gedik 2018, §4.2.2).
// The paper never takes one back, and so adds for ever to what waits for something else than a
// processor (A40). Here the last one goes again where throughput did not rise and the operator is
// the bottleneck as before; if another one is now, that one has the next turn.
class ReplicaController {
 public:
  static constexpr std::size_t kDecisionsKept = 4096;
  // A throughput that differs by so much is that of another load.
  static constexpr double kOtherLoad = 0.2;

  // Throws std::invalid_argument, naming the value and what is allowed.
  explicit ReplicaController(ReplicaControllerOptions options);

  // An operator begins with the least; one that was not named has 1 and no limit to speak of.
  void set_range(const std::string& name, ChannelRange range);

  // To be called once per period. What does not follow what was decided is passed as not
  // replicable.
  ReplicaDecision update(std::span<const Candidate> candidates, double throughput);
  ReplicaDecision hold();

  [[nodiscard]] int replicas(const std::string& name) const;
  // Whether the last period measured gave no reason for a change.
  [[nodiscard]] bool settled() const noexcept { return settled_; }
  [[nodiscard]] const std::deque<ReplicaDecision>& decisions() const noexcept { return decisions_; }

 private:
  struct Bar {
    double throughput = 0;
    std::uint64_t period = 0;
  };
  struct Operator {
    ChannelRange range{.least = 1, .most = kChannelLimit};
    int replicas = 1;
    std::optional<Bar> bar;
  };
  struct Added {
    std::string name;
    double before = 0;
  };

  [[nodiscard]] bool in_vain(const Added& added, std::span<const Candidate> candidates,
                             double throughput) const;
  ReplicaDecision take_back(const Added& added, double throughput);
  ReplicaDecision grow(std::span<const Candidate> candidates, double throughput);
  [[nodiscard]] bool is_barred(const Operator& here, double throughput) const;
  const ReplicaDecision& decide(ReplicaDecision decision);

  ReplicaControllerOptions options_;
  std::map<std::string, Operator> operators_;
  std::optional<Added> added_;  // by the last decision
  bool settled_ = false;
  std::uint64_t time_ = 0;
  std::deque<ReplicaDecision> decisions_;
};

}  // namespace penstock::elastic
