#include "penstock/graph/topology.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

#include "penstock/base/check.hpp"

namespace penstock::graph {

bool Topology::stateless() const noexcept {
  return std::ranges::all_of(nodes_,
                             [](const Node& node) { return node.kind == Kind::kStateless; });
}

bool Topology::row_by_row() const noexcept {
  return std::ranges::all_of(
      nodes_, [](const Node& node) { return node.controls == 0 && node.body->row_by_row(); });
}

int TopologyBuilder::add(std::string name, Kind kind, int inputs, int outputs,
                         std::unique_ptr<Operator> body, int controls) {
  PENSTOCK_CHECK(body != nullptr, "an operator needs a body");
  if (inputs < 1 || outputs < 1) {
    fail("operator '" + name + "' needs at least one input and one output port");
  }
  if (controls < 0 || controls >= inputs) {
    fail("operator '" + name + "' has " + std::to_string(inputs) + " input port(s), of which " +
         std::to_string(controls) + " cannot be control ports; one must take rows");
  }
  if (controls > 0 && kind == Kind::kStateless) {
    fail("operator '" + name + "' has a control port, so it remembers something; make it stateful");
  }
  topology_.nodes_.push_back(
      {.name = std::move(name),
       .kind = kind,
       .inputs = inputs,
       .controls = controls,
       .outputs = std::vector<std::vector<Target>>(static_cast<std::size_t>(outputs)),
       .body = std::move(body)});
  return topology_.size() - 1;
}

void TopologyBuilder::connect(int from, int from_port, int to, int to_port) {
  if (from < kSource || from >= topology_.size()) {
    fail("an edge begins at operator " + std::to_string(from) + ", which does not exist");
  }
  if ((to < 0 && to != kSink) || to >= topology_.size()) {
    fail("an edge from " + quoted(from) + " leads to operator " + std::to_string(to) +
         ", which does not exist");
  }
  const int outputs = from == kSource ? 1 : static_cast<int>(topology_.node(from).outputs.size());
  if (from_port < 0 || from_port >= outputs) {
    fail(quoted(from) + " has " + std::to_string(outputs) + " output port(s), so port " +
         std::to_string(from_port) + " cannot be connected");
  }
  const int inputs = to == kSink ? 1 : topology_.node(to).inputs;
  if (to_port < 0 || to_port >= inputs) {
    fail(quoted(to) + " has " + std::to_string(inputs) + " input port(s), so port " +
         std::to_string(to_port) + " cannot be connected");
  }
  auto& known = const_cast<std::vector<Target>&>(targets(from, from_port));  // NOLINT(*-const-cast)
  const Target target{.node = to, .port = to_port};
  if (std::ranges::find(known, target) != known.end()) {
    fail(quoted(from) + " is connected to " + quoted(to) +
         " twice, which would deliver every row twice");
  }
  known.push_back(target);
}

Topology TopologyBuilder::build() && {
  if (topology_.nodes_.empty()) fail("it has no operators; add at least one");
  check_names();
  check_ports();
  sort();
  return std::move(topology_);
}

void TopologyBuilder::check_names() const {
  std::set<std::string> names;
  for (const Node& node : topology_.nodes_) {
    if (node.name.empty()) fail("an operator has an empty name");
    if (!names.insert(node.name).second) {
      fail("two operators are named '" + node.name + "'; give one of them another name");
    }
  }
}

void TopologyBuilder::check_ports() const {
  if (topology_.first_.empty()) fail("nothing is connected to the input");
  std::vector<std::vector<bool>> fed;
  fed.reserve(topology_.nodes_.size());
  for (const Node& node : topology_.nodes_) fed.emplace_back(static_cast<std::size_t>(node.inputs));
  bool sink_fed = false;
  const auto visit = [&](int from, std::size_t port) {
    const auto& leads_to = targets(from, static_cast<int>(port));
    if (leads_to.empty()) {
      fail("output port " + std::to_string(port) + " of " + quoted(from) +
           " leads nowhere, so its rows would be lost; connect it");
    }
    for (const Target& target : leads_to) {
      if (target.node == kSink) {
        sink_fed = true;
      } else {
        fed[static_cast<std::size_t>(target.node)][static_cast<std::size_t>(target.port)] = true;
      }
    }
  };
  visit(kSource, 0);
  for (int i = 0; i < topology_.size(); ++i) {
    for (std::size_t port = 0; port < topology_.node(i).outputs.size(); ++port) visit(i, port);
  }
  for (int i = 0; i < topology_.size(); ++i) {
    const auto& ports = fed[static_cast<std::size_t>(i)];
    if (const auto idle = std::ranges::find(ports, false); idle != ports.end()) {
      fail("input port " + std::to_string(idle - ports.begin()) + " of " + quoted(i) +
           " is connected to nothing");
    }
  }
  if (!sink_fed) fail("nothing is connected to the output");
}

void TopologyBuilder::sort() {
  std::vector<int> waiting(topology_.nodes_.size(), 0);
  const auto for_targets = [this](int node, auto&& action) {
    for (const auto& port : topology_.node(node).outputs) {
      for (const Target& target : port) {
        if (target.node == kSink || topology_.node(target.node).is_control(target.port)) continue;
        action(static_cast<std::size_t>(target.node));
      }
    }
  };
  for (int i = 0; i < topology_.size(); ++i) {
    for_targets(i, [&](std::size_t to) { ++waiting[to]; });
  }
  std::vector<int>& order = topology_.order_;
  for (int i = 0; i < topology_.size(); ++i) {
    if (waiting[static_cast<std::size_t>(i)] == 0) order.push_back(i);
  }
  for (std::size_t next = 0; next < order.size(); ++next) {
    for_targets(order[next], [&](std::size_t to) {
      if (--waiting[to] == 0) order.push_back(static_cast<int>(to));
    });
  }
  if (order.size() == topology_.nodes_.size()) {
    find_loops();
    return;
  }
  std::vector<bool> sorted(topology_.nodes_.size());
  for (const int node : order) sorted[static_cast<std::size_t>(node)] = true;
  fail("its operators form a circle (" + circle(sorted) +
       "), in which rows would go round for ever; remove one of these edges, or lead it to a "
       "control port");
}

void TopologyBuilder::find_loops() {
  const auto& order = topology_.order_;
  std::vector<std::size_t> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[static_cast<std::size_t>(order[i])] = i;
  topology_.looped_.assign(order.size(), false);
  for (std::size_t from = 0; from < order.size(); ++from) {
    for (const auto& port : topology_.node(order[from]).outputs) {
      for (const Target& target : port) {
        if (target.node == kSink) continue;
        const std::size_t back_to = place[static_cast<std::size_t>(target.node)];
        for (std::size_t i = back_to + 1; i <= from; ++i) topology_.looped_[i] = true;
      }
    }
  }
}

// Of the operators that could not be sorted each is fed by another one, so walking upstream among
// them must come by some operator twice.
std::string TopologyBuilder::circle(const std::vector<bool>& sorted) const {
  const auto unsorted_feeder = [&](int of) {
    for (int i = 0; i < topology_.size(); ++i) {
      if (sorted[static_cast<std::size_t>(i)]) continue;
      for (const auto& port : topology_.node(i).outputs) {
        if (std::ranges::any_of(port, [&](const Target& t) {
              return t.node == of && !topology_.node(of).is_control(t.port);
            })) {
          return i;
        }
      }
    }
    return of;
  };
  std::vector<int> walk{static_cast<int>(std::ranges::find(sorted, false) - sorted.begin())};
  while (true) {
    const int feeder = unsorted_feeder(walk.back());
    const auto seen = std::ranges::find(walk, feeder);
    if (seen != walk.end()) {
      std::string text = quoted(feeder);
      for (auto step = walk.end(); step != seen; --step) text += " -> " + quoted(*(step - 1));
      return text;
    }
    walk.push_back(feeder);
  }
}

const std::vector<Target>& TopologyBuilder::targets(int from, int port) const {
  return from == kSource ? topology_.first_
                         : topology_.node(from).outputs[static_cast<std::size_t>(port)];
}

std::string TopologyBuilder::quoted(int node) const {
  if (node == kSource) return "the input";
  if (node == kSink) return "the output";
  return "operator '" + topology_.node(node).name + "'";
}

void TopologyBuilder::fail(const std::string& problem) const {
  throw GraphError("flow '" + topology_.name_ + "': " + problem);
}

}  // namespace penstock::graph
