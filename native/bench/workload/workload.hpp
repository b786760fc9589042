#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "penstock/base/cache_line.hpp"

#include "bench/workload/operator.hpp"
#include "bench/workload/shape.hpp"
#include "bench/workload/sink.hpp"
#include "bench/workload/source.hpp"

namespace penstock::bench {

// How operators are called: for each tuple, or for a batch of them.
enum class Interface { kTuple, kBatch };

struct Task {
  Shape shape;
  int cost = 1;  // floating point operations of each operator for each tuple
  Interface interface = Interface::kTuple;
  std::uint64_t tuples = 1;
  std::uint64_t warm = 0;  // so many of them before the clock starts
  double rate = 0;         // tuples per second; 0 for as fast as possible
};

// What there is to do, the same for every contender: a source, operators and a sink.
struct Workload {
  explicit Workload(const Task& given) : task(given), source(given.tuples, given.rate) {
    for (int i = 0; i < task.shape.operators(); ++i) operators.push_back(make_operator(task.cost));
    if (source.paced()) sink.time_tuples(task.tuples);
  }

  Task task;
  Source source;
  // Mostly two threads use the two, for every tuple: a shared cache line would be what is measured.
  alignas(base::kCacheLine) Sink sink;
  // Pipeline after pipeline, each in the order of its operators.
  alignas(base::kCacheLine) std::vector<std::unique_ptr<Operator>> operators;
};

}  // namespace penstock::bench
