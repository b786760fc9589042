#pragma once

#include <memory>
#include <utility>

#include "penstock/engine/flow_line.hpp"
#include "penstock/engine/observer.hpp"
#include "penstock/engine/options.hpp"
#include "penstock/engine/threading_model.hpp"
#include "penstock/graph/topology.hpp"

namespace penstock::engine {

// Whatever a worker of a processing element can reach. An operator that never returns keeps its
// thread inside, so the machine may have to outlive the element.
struct Machine {
  Machine(graph::Topology graph, int shares) : topology(std::move(graph)), line(topology, shares) {}
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;
  Machine(Machine&&) = delete;
  Machine& operator=(Machine&&) = delete;
  ~Machine() = default;

  // Makes the model the options ask for, with so many threads to begin with; it may get as many as
  // the options say.
  void start(const Options& options, const ThreadHooks& hooks, int threads);

  const graph::Topology topology;
  FlowLine line;
  std::unique_ptr<Observer> observer;     // of the line; none when nobody watches
  std::unique_ptr<ThreadingModel> model;  // last: its threads use the rest
};

// Ends the machine's threads, which may take as long as the operators that are running take. After
// the patience of the options the machine is left to a thread of its own, which waits for them.
// Only when they are gone their cores are given back.
void retire(const std::shared_ptr<Machine>& machine, const Options& options) noexcept;

}  // namespace penstock::engine
