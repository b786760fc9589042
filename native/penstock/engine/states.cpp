#include "penstock/engine/states.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "penstock/region/branches.hpp"
#include "penstock/region/channels.hpp"
#include "penstock/region/circle.hpp"
#include "penstock/region/late_rows.hpp"

namespace penstock::engine {

namespace {

void for_each_state(const graph::Node& node, const region::VisitState& visit) {
  if (auto* const region = dynamic_cast<region::Channels*>(node.body.get())) {
    region->for_each_state(visit);
  } else if (auto* const branches = dynamic_cast<region::Branches*>(node.body.get())) {
    branches->for_each_state(visit);
  } else if (auto* const circle = dynamic_cast<region::Circle*>(node.body.get())) {
    circle->for_each_state(visit);
  } else if (auto* const state = dynamic_cast<region::KeyedState*>(node.body.get())) {
    visit(node.name, 0, *state);
  }
}

void for_each_state(const graph::Topology& topology, const region::VisitState& visit) {
  for (int index = 0; index < topology.size(); ++index) {
    for_each_state(topology.node(index), visit);
  }
}

// All that channel 0 knows goes where it belongs.
void spread(region::Channels& region) {
  const int width = region.widths().first;
  const auto moving = region.begin_resize(1, width);
  region.give(0, *moving);
  for (int channel = 0; channel < width; ++channel) region.take(channel, *moving);
}

}  // namespace

std::vector<OperatorState> states_of(const graph::Topology& topology) {
  std::vector<OperatorState> found;
  for_each_state(topology,
                 [&](const std::string& name, int /*channel*/, region::KeyedState& state) {
                   auto place = std::ranges::find(found, name, &OperatorState::name);
                   if (place == found.end()) {
                     found.push_back({.name = name, .schema = state.package_schema(), .rows = {}});
                     place = std::prev(found.end());
                   }
                   if (tuple::Batch rows = state.snapshot(); rows.rows() != 0) {
                     place->rows.push_back(std::move(rows));
                   }
                 });
  return found;
}

std::int64_t late_rows(const graph::Node& node) {
  std::int64_t late = 0;
  for_each_state(
      node, [&](const std::string& /*name*/, int /*channel*/, const region::KeyedState& state) {
        if (const auto* const counts = dynamic_cast<const region::LateRows*>(&state)) {
          late += counts->late();
        }
      });
  return late;
}

void restore(const graph::Topology& topology, const std::string& name,
             const std::vector<tuple::Batch>& rows) {
  std::string names;
  bool done = false;
  for_each_state(topology, [&](const std::string& found, int channel, region::KeyedState& state) {
    if (channel != 0) return;
    names += (names.empty() ? "'" : ", '") + found + "'";
    if (found != name) return;
    for (const auto& batch : rows) state.collect(batch);
    done = true;
  });
  if (!done) {
    throw std::invalid_argument(
        "operator '" + name + "' remembers nothing by key; " +
        (names.empty() ? "no operator of the flow does" : "these do: " + names));
  }
  for (int index = 0; index < topology.size(); ++index) {
    if (auto* const region = dynamic_cast<region::Channels*>(topology.node(index).body.get())) {
      spread(*region);
    }
  }
}

}  // namespace penstock::engine
