#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace penstock::elastic {

// An operator as Algorithm 9 of Sahin & Gedik 2018 looks at it: for which parts of a period its
// ports were blocked, because what waits there could not be taken any faster.
struct Candidate {
  std::string name;
  std::vector<double> inputs;   // by replica
  std::vector<double> outputs;  // by the ports behind it; none where nothing is behind
  // Not so for splitters and mergers, operators with several ports, and those that wait for
  // something else than a processor: more of them would bring nothing.
  bool replicable = true;
};

inline constexpr double kBlocked = 0.01;  // tau

// Throws std::invalid_argument, naming the value, unless it is above 0 and at most 1.
double checked_tau(double tau);

// The mean over the replicas, and the most of what is behind. Throw std::invalid_argument, naming
// the operator, unless all are from 0 to 1, and for an operator without an input.
[[nodiscard]] double input_blocked(const Candidate& candidate);
[[nodiscard]] double output_blocked(const Candidate& candidate);

// The first of the candidates, which are in topological order, that is blocked on its input and not
// on its output: what is before it is held up by it, and itself by nobody. One, although the text
// of the paper says all of them (A40).
[[nodiscard]] std::optional<std::size_t> bottleneck(std::span<const Candidate> candidates,
                                                    double tau = kBlocked);

}  // namespace penstock::elastic
