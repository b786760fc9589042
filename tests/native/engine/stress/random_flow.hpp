#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "penstock/engine/processing_element.hpp"
#include "penstock/graph/topology.hpp"

#include "support/int_stream.hpp"

namespace penstock::stress {

using Values = std::vector<std::int64_t>;
using Random = std::mt19937_64;

// From 0 up to but without `end`.
inline int below(Random& random, int end) {
  return static_cast<int>(random() % static_cast<std::uint64_t>(end));
}

inline constexpr std::array kKinds{graph::Kind::kStateless, graph::Kind::kStateless,
                                   graph::Kind::kStateful, graph::Kind::kKeyed};

inline std::uint64_t mix(std::uint64_t bits) {
  bits = (bits ^ (bits >> 30U)) * 0xBF58476D1CE4E5B9U;
  bits = (bits ^ (bits >> 27U)) * 0x94D049BB133111EBU;
  return bits ^ (bits >> 31U);
}

// Makes 0 to 3 values of each, on one of its output ports. What a stateful one makes depends on
// everything it has seen before, so that the slightest disorder shows in the result.
class RandomOperator final : public graph::Operator {
 public:
  struct Traits {
    std::uint64_t seed = 0;
    bool stateful = false;
    bool fails = false;  // at one value in about two hundred
    int outputs = 1;
  };

  explicit RandomOperator(Traits traits) : traits_(traits) {}

  void process(const tuple::Tuple& tuple, int port, graph::Output& output) override {
    std::vector<Values> made(static_cast<std::size_t>(traits_.outputs));
    for (const auto value : support::read_column(tuple.batch)) {
      const auto bits = mix(static_cast<std::uint64_t>(value) ^ traits_.seed);
      if (traits_.fails && bits % 199 == 0) throw std::runtime_error("a value nobody likes");
      auto& out = made[(bits >> 8U) % made.size()];
      if (traits_.stateful) history_ = (history_ * 31 + value) % kPrime;
      for (int copy = 0; copy < kCopies[bits % kCopies.size()]; ++copy) {
        if (out.size() < kMostRows) out.push_back((value * 3 + port + copy + history_) % kPrime);
      }
    }
    for (std::size_t i = 0; i < made.size(); ++i) {
      output.emit(support::make_int_batch(std::move(made[i])), static_cast<int>(i));
    }
  }

 private:
  // Nine values come out for ten that go in: a long flow neither dries up nor floods.
  static constexpr std::array<int, 10> kCopies{0, 0, 0, 0, 1, 1, 1, 1, 2, 3};
  static constexpr std::size_t kMostRows = 32;
  static constexpr std::int64_t kPrime = 1'000'003;

  Traits traits_;
  std::int64_t history_ = 0;
};

// Everything about one random case; the same seed gives the same case.
struct RandomFlow {
  std::uint64_t seed = 0;
  bool may_fail = false;

  [[nodiscard]] graph::Topology topology() const {
    Random random(seed);
    const int operators = 1 + below(random, 60);
    const int failing = may_fail ? below(random, operators) : -1;
    const bool all_stateless = random() % 4 == 0;
    graph::TopologyBuilder builder("random");
    std::vector<std::pair<int, int>> unread{{graph::kSource, 0}};  // output ports
    std::vector<std::pair<int, int>> outputs = unread;
    for (int i = 0; i < operators; ++i) {
      const auto kind = all_stateless ? graph::Kind::kStateless : kKinds[random() % kKinds.size()];
      const int inputs = 1 + below(random, 3) / 2;
      const int ports = 1 + below(random, 3) / 2;
      const int node = builder.add("op" + std::to_string(i), kind, inputs, ports,
                                   std::make_unique<RandomOperator>(RandomOperator::Traits{
                                       .seed = random(),
                                       .stateful = kind != graph::Kind::kStateless,
                                       .fails = i == failing,
                                       .outputs = ports}));
      for (int port = 0; port < inputs; ++port) {
        // Mostly what nobody reads yet, so that flows are deep; sometimes anything.
        const bool fresh = !unread.empty() && random() % 5 != 0;
        auto& from = fresh ? unread : outputs;
        const auto chosen = from[random() % from.size()];
        builder.connect(chosen.first, chosen.second, node, port);
        std::erase(unread, chosen);
      }
      for (int port = 0; port < ports; ++port) {
        unread.emplace_back(node, port);
        outputs.emplace_back(node, port);
      }
    }
    for (const auto& [node, port] : unread) builder.connect(node, port, graph::kSink, 0);
    return std::move(builder).build();
  }

  [[nodiscard]] std::unique_ptr<tuple::InputStream> input() const {
    Random random(seed + 1);
    std::vector<Values> batches(static_cast<std::size_t>(below(random, 20)));
    std::int64_t value = 0;
    for (auto& batch : batches) {
      batch.resize(static_cast<std::size_t>(below(random, 12)));
      for (auto& row : batch) row = value++;
    }
    return support::make_int_input(std::move(batches));
  }

  // The case's own number of rows for each tuple, threads and queue capacity.
  [[nodiscard]] engine::Options options(engine::Threading threading) const {
    Random random(seed + 2);
    engine::Options options;
    options.rows_per_tuple = below(random, 6);
    options.threading = threading;
    options.threads = 1 + below(random, 8);
    options.queue_capacity = 1 << below(random, 7);
    return options;
  }
};

// What a flow gave, and how it ended.
struct Outcome {
  std::vector<Values> batches;
  bool failed = false;
  int node = 0;
  std::int64_t first_row = 0;
  std::int64_t last_row = 0;

  bool operator==(const Outcome&) const = default;
};

inline Outcome run(engine::ProcessingElement& element) {
  Outcome outcome;
  try {
    while (auto batch = element.next()) {
      outcome.batches.push_back(support::read_column(std::move(*batch)));
    }
  } catch (const engine::FlowStopped&) {
    const auto& failure = *element.failure();
    outcome.failed = true;
    outcome.node = failure.node;
    outcome.first_row = failure.rows.first;
    outcome.last_row = failure.rows.last();
  }
  return outcome;
}

inline Outcome run(const RandomFlow& flow, engine::Threading threading) {
  engine::ProcessingElement element(flow.topology(), flow.input(), flow.options(threading));
  return run(element);
}

}  // namespace penstock::stress
