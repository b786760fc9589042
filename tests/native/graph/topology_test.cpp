#include "penstock/graph/topology.hpp"

#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <utility>

#include "support/operators.hpp"

namespace penstock {
namespace {

using graph::GraphError;
using graph::Kind;
using graph::kSink;
using graph::kSource;
using graph::Topology;
using graph::TopologyBuilder;
using support::add;

int add_one(TopologyBuilder& builder, const std::string& name, int inputs = 1, int outputs = 1) {
  return builder.add(name, Kind::kStateless, inputs, outputs, add(1));
}

// What the builder says about the graph that `describe` makes, or "" when it is content.
std::string complaint(const std::function<void(TopologyBuilder&)>& describe) {
  TopologyBuilder builder("orders");
  try {
    describe(builder);
    (void)std::move(builder).build();
    return "";
  } catch (const GraphError& error) {
    return error.what();
  }
}

TEST(Topology, puts_every_operator_behind_those_that_feed_it) {
  TopologyBuilder builder("orders");
  const int last = add_one(builder, "last", 2);
  const int left = add_one(builder, "left");
  const int right = add_one(builder, "right");
  const int first = add_one(builder, "first");
  builder.connect(kSource, 0, first, 0);
  builder.connect(first, 0, left, 0);
  builder.connect(first, 0, right, 0);
  builder.connect(left, 0, last, 0);
  builder.connect(right, 0, last, 1);
  builder.connect(last, 0, kSink, 0);
  const Topology topology = std::move(builder).build();
  EXPECT_EQ(topology.order(), (std::vector{first, left, right, last}));
  EXPECT_EQ(topology.node(first).outputs[0].size(), 2U);
}

TEST(Topology, is_stateless_only_when_every_operator_is) {
  for (const Kind kind : {Kind::kStateless, Kind::kKeyed, Kind::kStateful}) {
    TopologyBuilder builder("orders");
    const int a = builder.add("a", kind, 1, 1, add(1));
    builder.connect(kSource, 0, a, 0);
    builder.connect(a, 0, kSink, 0);
    EXPECT_EQ(std::move(builder).build().stateless(), kind == Kind::kStateless);
  }
}

TEST(Topology, a_graph_without_operators_is_refused) {
  EXPECT_EQ(complaint([](TopologyBuilder&) {}),
            "flow 'orders': it has no operators; add at least one");
}

TEST(Topology, two_operators_of_one_name_are_refused) {
  EXPECT_EQ(complaint([](TopologyBuilder& b) {
              add_one(b, "parse");
              add_one(b, "parse");
            }),
            "flow 'orders': two operators are named 'parse'; give one of them another name");
}

TEST(Topology, an_empty_name_is_refused) {
  EXPECT_EQ(complaint([](TopologyBuilder& b) { add_one(b, ""); }),
            "flow 'orders': an operator has an empty name");
}

TEST(Topology, an_operator_without_ports_is_refused) {
  EXPECT_EQ(complaint([](TopologyBuilder& b) { add_one(b, "parse", 0); }),
            "flow 'orders': operator 'parse' needs at least one input and one output port");
}

TEST(Topology, an_edge_to_or_from_nowhere_is_refused) {
  EXPECT_EQ(complaint([](TopologyBuilder& b) { b.connect(kSource, 0, 3, 0); }),
            "flow 'orders': an edge from the input leads to operator 3, which does not exist");
  EXPECT_EQ(complaint([](TopologyBuilder& b) { b.connect(3, 0, kSink, 0); }),
            "flow 'orders': an edge begins at operator 3, which does not exist");
}

TEST(Topology, a_port_that_the_operator_lacks_is_refused) {
  EXPECT_EQ(complaint([](TopologyBuilder& b) { b.connect(add_one(b, "a"), 1, kSink, 0); }),
            "flow 'orders': operator 'a' has 1 output port(s), so port 1 cannot be connected");
  EXPECT_EQ(complaint([](TopologyBuilder& b) { b.connect(kSource, 0, add_one(b, "a"), 1); }),
            "flow 'orders': operator 'a' has 1 input port(s), so port 1 cannot be connected");
}

TEST(Topology, the_same_edge_twice_is_refused) {
  EXPECT_EQ(complaint([](TopologyBuilder& b) {
              const int a = add_one(b, "a");
              b.connect(kSource, 0, a, 0);
              b.connect(kSource, 0, a, 0);
            }),
            "flow 'orders': the input is connected to operator 'a' twice, which would deliver "
            "every row twice");
}

TEST(Topology, ports_that_are_connected_to_nothing_are_refused) {
  EXPECT_EQ(complaint([](TopologyBuilder& b) { b.connect(add_one(b, "a"), 0, kSink, 0); }),
            "flow 'orders': nothing is connected to the input");
  EXPECT_EQ(complaint([](TopologyBuilder& b) { b.connect(kSource, 0, add_one(b, "a"), 0); }),
            "flow 'orders': output port 0 of operator 'a' leads nowhere, so its rows would be "
            "lost; connect it");
  EXPECT_EQ(complaint([](TopologyBuilder& b) {
              const int a = add_one(b, "a", 2);
              b.connect(kSource, 0, a, 0);
              b.connect(a, 0, kSink, 0);
            }),
            "flow 'orders': input port 1 of operator 'a' is connected to nothing");
}

TEST(Topology, a_circle_is_refused_and_named) {
  EXPECT_EQ(complaint([](TopologyBuilder& b) {
              const int a = add_one(b, "a", 2);
              const int c = add_one(b, "c", 1, 2);
              b.connect(kSource, 0, a, 0);
              b.connect(a, 0, c, 0);
              b.connect(c, 0, a, 1);
              b.connect(c, 1, kSink, 0);
            }),
            "flow 'orders': its operators form a circle (operator 'a' -> operator 'c' -> operator "
            "'a'), in which rows would go round for ever; remove one of these edges, or lead it "
            "to a control port");
}

TEST(Topology, an_output_that_nothing_reaches_is_refused) {
  EXPECT_EQ(complaint([](TopologyBuilder& b) {
              const int a = add_one(b, "a", 2);
              b.connect(kSource, 0, a, 0);
              b.connect(a, 0, a, 1);
            }),
            "flow 'orders': nothing is connected to the output");
}

TEST(Topology, an_edge_may_lead_back_to_a_control_port) {
  TopologyBuilder b("orders");
  const int before = add_one(b, "before");
  const int gate =
      b.add("gate", Kind::kStateful, 2, 1, std::make_unique<support::IntOperator>(nullptr), 1);
  const int between = add_one(b, "between");
  const int judge = add_one(b, "judge", 1, 2);
  b.connect(kSource, 0, before, 0);
  b.connect(before, 0, gate, 0);
  b.connect(gate, 0, between, 0);
  b.connect(between, 0, judge, 0);
  b.connect(judge, 0, gate, 1);
  b.connect(judge, 1, kSink, 0);
  const auto topology = std::move(b).build();
  EXPECT_EQ(topology.order(), (std::vector<int>{before, gate, between, judge}));
  EXPECT_FALSE(topology.in_loop_with_previous(0));
  EXPECT_FALSE(topology.in_loop_with_previous(1)) << "the loop begins here";
  EXPECT_TRUE(topology.in_loop_with_previous(2));
  EXPECT_TRUE(topology.in_loop_with_previous(3));
}

TEST(Topology, what_has_a_control_port_has_state_and_takes_rows_too) {
  const auto with = [](Kind kind, int controls) {
    return complaint([&](TopologyBuilder& b) {
      b.add("gate", kind, 2, 1, std::make_unique<support::IntOperator>(nullptr), controls);
    });
  };
  EXPECT_EQ(with(Kind::kStateless, 1),
            "flow 'orders': operator 'gate' has a control port, so it remembers something; make it "
            "stateful");
  EXPECT_EQ(with(Kind::kStateful, 2),
            "flow 'orders': operator 'gate' has 2 input port(s), of which 2 cannot be control "
            "ports; one must take rows");
}

}  // namespace
}  // namespace penstock
