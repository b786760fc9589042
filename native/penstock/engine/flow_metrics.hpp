#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "penstock/engine/pace.hpp"

namespace penstock::engine {

struct OperatorMetrics {
  std::string name;
  std::int64_t tuples = 0;
  std::int64_t rows_in = 0;
  std::int64_t rows_out = 0;
  std::int64_t late = 0;     // rows left out because they came too late
  std::int64_t busy_ns = 0;  // quick operators are timed now and then only
  double waiting_mean = 0;   // runs in the queue before it, where there is one
  std::int64_t waiting_most = 0;
};

struct WorkerMetrics {
  int worker = 0;  // 0 is the feeder
  std::int64_t busy_ns = 0;
  std::int64_t blocked_ns = 0;  // nothing to do; the feeder also while it waits for the input
  std::int64_t pieces = 0;      // of work that it took up
};

struct LevelChange {
  std::int64_t at_ns = 0;  // since the first rows were asked for
  int level = 0;           // threads that may be at work, the feeder included
};

// A flow at one moment, or in the end.
struct FlowMetrics {
  std::vector<OperatorMetrics> operators;  // as they were added to the graph
  std::vector<WorkerMetrics> workers;      // those that were started
  std::vector<LevelChange> levels;
  std::vector<PacePoint> pace;
  std::int64_t runs = 0;  // collected
  double under_way_mean = 0;
  std::int64_t under_way_most = 0;
  std::int64_t elapsed_ns = 0;  // since the first rows were asked for, until the flow was closed
};

}  // namespace penstock::engine
