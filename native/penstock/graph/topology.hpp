#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "penstock/graph/operator.hpp"

namespace penstock::graph {

// The graph is wrong; the text names the flow, the operator and the port, and what to do.
class GraphError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

// The far end of an edge: an operator's input port, or the sink.
struct Target {
  int node = 0;
  int port = 0;

  bool operator==(const Target&) const = default;
};

inline constexpr int kSource = -1;
inline constexpr int kSink = -2;

struct Node {
  std::string name;
  Kind kind = Kind::kStateless;
  int inputs = 1;
  int controls = 0;  // so many input ports, the last ones, are control ports
  std::vector<std::vector<Target>> outputs;  // by output port, in the order of connecting
  std::unique_ptr<Operator> body;

  [[nodiscard]] bool is_control(int port) const noexcept { return port >= inputs - controls; }
};

// A checked graph: every port is connected, and only edges to control ports lead back.
class Topology {
 public:
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] int size() const noexcept { return static_cast<int>(nodes_.size()); }
  [[nodiscard]] const Node& node(int index) const {
    return nodes_[static_cast<std::size_t>(index)];
  }
  // Who receives what comes in, in the order of connecting.
  [[nodiscard]] const std::vector<Target>& first() const noexcept { return first_; }
  // Every operator after all of those that feed it, control ports aside.
  [[nodiscard]] const std::vector<int>& order() const noexcept { return order_; }
  // True when an operator must be done with a row before the one in front of it in order() sees
  // the next: some edge leads back past both (A6).
  [[nodiscard]] bool in_loop_with_previous(int place) const {
    return looped_[static_cast<std::size_t>(place)];
  }
  [[nodiscard]] bool stateless() const noexcept;
  // Whether it does not matter where tuples are cut. Where something comes back it does: it comes
  // between two tuples.
  [[nodiscard]] bool row_by_row() const noexcept;

 private:
  friend class TopologyBuilder;

  std::string name_;
  std::vector<Node> nodes_;
  std::vector<Target> first_;
  std::vector<int> order_;
  std::vector<bool> looped_;  // by place in order_
};

// Collects operators and edges; everything that can be wrong with them is found by build().
class TopologyBuilder {
 public:
  explicit TopologyBuilder(std::string name) { topology_.name_ = std::move(name); }

  // The index by which connect() knows the operator. The last `controls` of its input ports are
  // control ports.
  int add(std::string name, Kind kind, int inputs, int outputs, std::unique_ptr<Operator> body,
          int controls = 0);

  // From an operator's output port or kSource to an operator's input port or kSink.
  void connect(int from, int from_port, int to, int to_port);

  // Throws GraphError. The builder is empty afterwards.
  [[nodiscard]] Topology build() &&;

 private:
  void check_names() const;
  void check_ports() const;
  void sort();
  void find_loops();
  [[nodiscard]] std::string circle(const std::vector<bool>& sorted) const;
  [[nodiscard]] const std::vector<Target>& targets(int from, int port) const;
  [[nodiscard]] std::string quoted(int node) const;
  [[noreturn]] void fail(const std::string& problem) const;

  Topology topology_;
};

}  // namespace penstock::graph
