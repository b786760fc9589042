#include "penstock/elastic/replica_controller.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "penstock/elastic/throughput.hpp"

namespace penstock::elastic {

namespace {

ReplicaControllerOptions checked(ReplicaControllerOptions options) {
  checked_tau(options.tau);
  if (!(options.margin >= 0 && options.margin < 1)) {
    throw std::invalid_argument("margin is " + std::to_string(options.margin) +
                                "; it must be 0 or more and below 1, such as 0.05");
  }
  if (options.age < 0) {
    throw std::invalid_argument("age is " + std::to_string(options.age) +
                                "; it must be a number of periods, or 0 to forget nothing");
  }
  return options;
}

std::string why(const ReplicaDecision& decision) {
  const std::string throughput = number(decision.before.value_or(0));
  std::string blocked =
      "its input was blocked for " + number(100 * decision.other) + " % of the time";
  switch (decision.reason) {
    case ReplicaReason::kBottleneck:
      return blocked;
    case ReplicaReason::kNoGain:
      return "throughput is " + throughput + " after " + number(decision.other) +
             ", and it is the bottleneck as before: the last one brings nothing";
    case ReplicaReason::kBarred:
      return blocked + ", but one more brought nothing";
    case ReplicaReason::kMostReplicas:
      return blocked + ", but there may be no more";
    case ReplicaReason::kHeld:
      return "the last change has not taken effect yet";
    default:
      return "no operator holds the others up";
  }
}

}  // namespace

std::string_view name(ReplicaReason reason) {
  switch (reason) {
    case ReplicaReason::kBottleneck:
      return "bottleneck";
    case ReplicaReason::kNoGain:
      return "no_gain";
    case ReplicaReason::kBarred:
      return "barred";
    case ReplicaReason::kMostReplicas:
      return "most_replicas";
    case ReplicaReason::kNoBottleneck:
      return "no_bottleneck";
    case ReplicaReason::kHeld:
      return "held";
  }
  return "unknown";
}

std::string to_text(const ReplicaDecision& decision) {
  if (decision.name.empty()) return "stay: " + why(decision);
  const std::string change =
      decision.replicas == decision.previous
          ? "stay at " + std::to_string(decision.replicas)
          : std::to_string(decision.previous) + " -> " + std::to_string(decision.replicas);
  return "operator '" + decision.name + "': " + change +
         (decision.replicas == 1 ? " replica: " : " replicas: ") + why(decision);
}

ReplicaController::ReplicaController(ReplicaControllerOptions options)
    : options_(checked(options)) {}

void ReplicaController::set_range(const std::string& name, ChannelRange range) {
  Operator& here = operators_[name];
  here.range = ChannelSeries(range, Scaling::kSteady).range();
  here.replicas = std::clamp(here.replicas, range.least, range.most);
}

ReplicaDecision ReplicaController::update(std::span<const Candidate> candidates,
                                          double throughput) {
  check_throughput(throughput);
  // Whatever is wrong is told before anything is taken in.
  static_cast<void>(bottleneck(candidates, options_.tau));
  for (auto past = decisions_.rbegin(); past != decisions_.rend() && !past->after; ++past) {
    past->after = throughput;
  }
  const auto added = std::exchange(added_, std::nullopt);
  const bool useless = added && in_vain(*added, candidates, throughput);
  const auto decision = useless ? take_back(*added, throughput) : grow(candidates, throughput);
  settled_ = decision.previous == decision.replicas;
  return decision;
}

ReplicaDecision ReplicaController::hold() { return decide({.reason = ReplicaReason::kHeld}); }

int ReplicaController::replicas(const std::string& name) const {
  const auto found = operators_.find(name);
  return found == operators_.end() ? 1 : found->second.replicas;
}

bool ReplicaController::in_vain(const Added& added, std::span<const Candidate> candidates,
                                double throughput) const {
  const int now = replicas(added.name);
  const double margin = std::min(options_.margin, 0.5 / (now - 1));
  if (throughput > added.before * (1 + margin)) return false;
  const auto found = bottleneck(candidates, options_.tau);
  return found && candidates[*found].name == added.name;
}

ReplicaDecision ReplicaController::take_back(const Added& added, double throughput) {
  Operator& here = operators_[added.name];
  here.bar = {.throughput = added.before, .period = time_};
  const int previous = here.replicas;
  here.replicas = std::max(here.range.least, previous - 1);
  return decide({.name = added.name,
                 .previous = previous,
                 .replicas = here.replicas,
                 .reason = ReplicaReason::kNoGain,
                 .before = throughput,
                 .other = added.before});
}

ReplicaDecision ReplicaController::grow(std::span<const Candidate> candidates, double throughput) {
  std::vector<Candidate> possible(candidates.begin(), candidates.end());
  ReplicaDecision decision{.reason = ReplicaReason::kNoBottleneck, .before = throughput};
  while (const auto found = bottleneck(possible, options_.tau)) {
    Candidate& each = possible[*found];
    Operator& here = operators_[each.name];
    const bool barred = is_barred(here, throughput);
    if (!barred && here.replicas < here.range.most) {
      added_ = {.name = each.name, .before = throughput};
      ++here.replicas;
      return decide({.name = each.name,
                     .previous = here.replicas - 1,
                     .replicas = here.replicas,
                     .reason = ReplicaReason::kBottleneck,
                     .before = throughput,
                     .other = input_blocked(each)});
    }
    // The first one is told of, unless another one behind it can be helped.
    if (decision.name.empty()) {
      decision.name = each.name;
      decision.previous = decision.replicas = here.replicas;
      decision.reason = barred ? ReplicaReason::kBarred : ReplicaReason::kMostReplicas;
      decision.other = input_blocked(each);
    }
    each.replicable = false;
  }
  return decide(std::move(decision));
}

bool ReplicaController::is_barred(const Operator& here, double throughput) const {
  if (!here.bar) return false;
  const bool old =
      options_.age > 0 && time_ - here.bar->period >= static_cast<std::uint64_t>(options_.age);
  const double change = std::abs(throughput - here.bar->throughput);
  return !old && change <= kOtherLoad * here.bar->throughput;
}

const ReplicaDecision& ReplicaController::decide(ReplicaDecision decision) {
  if (decisions_.size() == kDecisionsKept) decisions_.pop_front();
  decision.period = time_++;
  decisions_.push_back(std::move(decision));
  return decisions_.back();
}

}  // namespace penstock::elastic
