#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "penstock/engine/operator_failure.hpp"
#include "penstock/engine/visit.hpp"
#include "penstock/graph/divided_operator.hpp"
#include "penstock/schedule/line.hpp"
#include "penstock/tuple/tuple.hpp"

namespace penstock::engine {

// One source tuple on its way through the flow, and everything the operators made of it so far.
struct FlowRun : schedule::Run {
  struct Delivery {
    int port = 0;
    tuple::Tuple tuple;
    bool mark = false;       // in place of a tuple
    bool is_source = false;  // its rows are those of the source tuple, one by one
  };
  // A delivery on its way through the parts of a divided operator.
  struct Divided {
    std::unique_ptr<graph::Pieces> pieces;  // kept for the next run
    graph::FirstFailure failure;
  };

  // In place of rows: what moves from part to part of an operator that is resized.
  struct Pulse {
    int node = 0;
    graph::Resizing what = graph::Resizing::kWhole;
    std::unique_ptr<graph::Pieces> moving;
  };

  tuple::Tuple source;
  std::chrono::nanoseconds worked{0};  // that threads were at it, if it was timed
  bool last = false;       // no row follows: every operator finishes behind what waits for it
  bool ends_batch = true;  // no tuple of the same input batch follows
  std::vector<std::vector<Delivery>> waiting;  // by operator: what was emitted to it
  std::vector<std::vector<Divided>> divided;   // by operator, of what waits
  std::vector<int> widths;                     // by resizable operator, for this run
  std::optional<Pulse> pulse;
  std::vector<tuple::Batch> out;           // what reached the sink; marks are nothing
  std::vector<OperatorFailure> failures;   // in the order of the stations, to be settled
  std::optional<OperatorFailure> failure;  // the one that counts, once it has been everywhere
  // What its operator was at when it paused: so many were done with of what waits, and behind all
  // of that comes finish().
  std::optional<std::size_t> paused;
  std::vector<Visit> visits;  // what the operators did, if a trace is written
};

}  // namespace penstock::engine
