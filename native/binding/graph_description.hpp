#pragma once

#include <string>
#include <utility>

#include "penstock/graph/topology.hpp"

namespace penstock::binding {

// The graph while Python describes it; a processing element takes it over.
struct GraphDescription {
  explicit GraphDescription(std::string name) : builder(std::move(name)) {}

  graph::TopologyBuilder builder;
  bool taken = false;
};

}  // namespace penstock::binding
