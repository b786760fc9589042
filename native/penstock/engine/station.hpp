#pragma once

#include "penstock/engine/flow_run.hpp"
#include "penstock/graph/divided_operator.hpp"
#include "penstock/graph/topology.hpp"

namespace penstock::engine {

// What an operator does at one of its places on the line.
enum class Role { kWhole, kCut, kPart, kJoin, kSink };

struct Station {
  static constexpr int kFixed = -1;

  int node = 0;
  Role role = Role::kWhole;
  int part = 0;      // the first of those that are worked on here, one after another
  int end_part = 0;  // behind the last of them
  bool bound = false;
  bool in_lane = false;
  bool keeps_pace = false;                    // it may pause and complete
  graph::DividedOperator* divided = nullptr;  // the operator, if it is one
  int resizable = kFixed;                     // its number among the resizable ones, if it is one

  // An operator's last station: what waited for it is done with.
  [[nodiscard]] bool finishes() const noexcept {
    return role == Role::kWhole || role == Role::kJoin;
  }
};

// Works on the `index`-th of what waits for the operator of a station.
void process_one(const Station& here, const graph::Node& node, FlowRun& run, std::size_t index,
                 graph::Output& output);

// Takes a pulse for the operator of a station through it.
void resize(const Station& here, FlowRun::Pulse& pulse);

}  // namespace penstock::engine
