#include "penstock/loop/wait.hpp"

#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

#include "loop/loops.hpp"

namespace penstock {
namespace {

using loop::InPort;
using loop::Need;
using loop::outlook;
using loop::Outlook;
using loop::rows_until_done;
using loop::Wait;
using loop::WaitFor;

struct Given {
  int rows;
  bool closed;
};

std::vector<InPort> ports_with(const std::vector<Given>& given) {
  std::vector<InPort> ports;
  for (const auto& [rows, closed] : given) {
    auto& port = ports.emplace_back("tested", "port" + std::to_string(ports.size()), loops::ints());
    port.arrive(support::make_int_batch(loops::Ints(static_cast<std::size_t>(rows))));
    if (closed) port.close();
  }
  return ports;
}

Outlook all(const std::vector<Need>& needs, const std::vector<Given>& given) {
  return outlook({.mode = WaitFor::Mode::kAll, .needs = needs}, ports_with(given));
}
Outlook any(const std::vector<Need>& needs, const std::vector<Given>& given) {
  return outlook({.mode = WaitFor::Mode::kAny, .needs = needs}, ports_with(given));
}

TEST(Wait, is_true_where_it_is_done_and_false_where_it_is_over) {
  EXPECT_TRUE(Wait(Wait::kDone));
  EXPECT_FALSE(Wait(Wait::kOver));
  EXPECT_EQ(Wait(Wait::kOver), Wait::kOver);
}

TEST(WaitForAll, is_done_when_every_port_has_enough) {
  EXPECT_EQ(all({{0, 2}, {1, 1}}, {{2, false}, {1, false}}), Outlook::kDone);
  EXPECT_EQ(all({{0, 2}, {1, 1}}, {{1, false}, {9, false}}), Outlook::kOpen);
  EXPECT_EQ(all({{0, 2}, {1, 1}}, {{9, false}, {0, false}}), Outlook::kOpen);
}

TEST(WaitForAll, is_over_only_when_a_port_is_closed_and_short) {
  EXPECT_EQ(all({{0, 2}, {1, 1}}, {{1, true}, {9, false}}), Outlook::kOver);
  EXPECT_EQ(all({{0, 2}, {1, 1}}, {{9, false}, {0, true}}), Outlook::kOver);
  EXPECT_EQ(all({{0, 2}, {1, 1}}, {{1, false}, {9, true}}), Outlook::kOpen);
}

// A35: as printed it returns at once if any port is closed.
TEST(WaitForAll, goes_on_while_a_closed_port_still_holds_enough) {
  EXPECT_EQ(all({{0, 2}, {1, 1}}, {{2, true}, {0, false}}), Outlook::kOpen);
  EXPECT_EQ(all({{0, 2}, {1, 1}}, {{2, true}, {1, false}}), Outlook::kDone);
  EXPECT_EQ(all({{0, 2}, {1, 1}}, {{2, true}, {1, true}}), Outlook::kDone);
}

TEST(WaitForAny, is_done_when_one_port_has_enough) {
  EXPECT_EQ(any({{0, 2}, {1, 1}}, {{0, true}, {1, true}}), Outlook::kDone);
  EXPECT_EQ(any({{0, 2}, {1, 1}}, {{2, false}, {0, false}}), Outlook::kDone);
  EXPECT_EQ(any({{0, 2}, {1, 1}}, {{1, false}, {0, false}}), Outlook::kOpen);
}

TEST(WaitForAny, is_over_only_when_every_port_is_closed_and_short) {
  EXPECT_EQ(any({{0, 2}, {1, 1}}, {{1, true}, {0, true}}), Outlook::kOver);
  EXPECT_EQ(any({{0, 2}, {1, 1}}, {{1, true}, {0, false}}), Outlook::kOpen);
  EXPECT_EQ(any({{0, 2}, {1, 1}}, {{1, false}, {0, true}}), Outlook::kOpen);
}

TEST(WaitFor, no_rows_are_always_there_and_no_needs_have_their_answer) {
  EXPECT_EQ(all({{0, 0}}, {{0, false}}), Outlook::kDone);
  EXPECT_EQ(any({{0, 0}}, {{0, true}}), Outlook::kDone);
  EXPECT_EQ(all({}, {}), Outlook::kDone);
  EXPECT_EQ(any({}, {}), Outlook::kOver);
}

// A37: a port that held enough before counts again once its rows are gone.
TEST(WaitFor, looks_at_every_port_anew) {
  auto ports = ports_with({{1, false}, {0, false}});
  const WaitFor wait{.mode = WaitFor::Mode::kAll, .needs = {{0, 1}, {1, 1}}};
  EXPECT_EQ(outlook(wait, ports), Outlook::kOpen);
  (void)ports[0].take();
  ports[1].arrive(support::make_int_batch({1}));
  EXPECT_EQ(outlook(wait, ports), Outlook::kOpen);
}

TEST(WaitFor, knows_at_which_row_of_one_port_it_comes_true) {
  const auto ports = ports_with({{1, false}, {0, false}, {5, false}});
  const auto until = [&](WaitFor::Mode mode, const std::vector<Need>& needs, int port) {
    return rows_until_done({.mode = mode, .needs = needs}, ports, port);
  };
  constexpr auto kAll = WaitFor::Mode::kAll;
  constexpr auto kAny = WaitFor::Mode::kAny;
  EXPECT_EQ(until(kAll, {{0, 4}, {2, 5}}, 0), 3);
  EXPECT_EQ(until(kAll, {{0, 4}, {1, 1}}, 0), loop::kNotByThis);  // port 1 is short too
  EXPECT_EQ(until(kAll, {{0, 4}}, 1), loop::kNotByThis);
  EXPECT_EQ(until(kAll, {{0, 2}, {0, 4}}, 0), 3);
  EXPECT_EQ(until(kAny, {{0, 4}, {1, 1}}, 0), 3);
  EXPECT_EQ(until(kAny, {{0, 4}, {0, 2}}, 0), 1);
  EXPECT_EQ(until(kAny, {{0, 4}, {1, 1}}, 2), loop::kNotByThis);
}

TEST(WaitFor, says_which_ports_are_short) {
  const auto ports = ports_with({{1, false}, {0, false}, {5, false}});
  const std::vector<Need> needs{{0, 3}, {1, 1}, {2, 5}};
  EXPECT_EQ(describe_short({.mode = WaitFor::Mode::kAll, .needs = needs}, ports),
            "3 rows of port 'port0' (1 there) and 1 row of port 'port1' (0 there)");
  EXPECT_EQ(describe_short({.mode = WaitFor::Mode::kAny, .needs = needs}, ports),
            "3 rows of port 'port0' (1 there) or 1 row of port 'port1' (0 there)");
}

}  // namespace
}  // namespace penstock
