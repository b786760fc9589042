#include "penstock/ops/library_loop.hpp"

#include <array>
#include <chrono>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "penstock/tuple/field.hpp"

#include "loop/loops.hpp"
#include "support/arrow_columns.hpp"
#include "support/int_batch.hpp"

// The engine has told of Arrow's structs already.
#define ARROW_C_DATA_INTERFACE  // NOLINT(cppcoreguidelines-macro-usage): as Arrow's pages say
#include "penstock_loop.hpp"

namespace {

penstock::Loop pairs(penstock::Ports& ports) {
  while (co_await ports.all({0, 1}, {1, 1})) {
    const std::int64_t rows = std::min(ports.rows(0), ports.rows(1));
    ports.push(beside(ports.take(0, rows), ports.take(1, rows)));
  }
}
PENSTOCK_LOOP(pairs, "left: n bigint; right: n bigint", "out: a bigint, b bigint");

penstock::Loop sums(penstock::Ports& ports) {
  penstock::Rows held;
  while (co_await ports.all({0, 2})) {
    held = ports.take(0, 2);
    const auto n = held.column<std::int64_t>(0);
    penstock::Builder made = ports.make();
    made.add(n[0] + n[1]);
    ports.push(std::move(made));
    if (n[0] == 13) throw std::runtime_error("13 is unlucky");
  }
  if (ports.closed(0)) ports.push(ports.take(0));
}
PENSTOCK_LOOP(sums, "rows: n bigint", "out: n bigint");

constexpr int kMany = 9;

// So many rows as there are ports, the first of each of them.
penstock::Loop firsts_of_all(penstock::Ports& ports) {
  std::vector<penstock::Need> needs;
  for (int port = 0; port < kMany; ++port) needs.push_back({port, 1});
  while (co_await ports.all(needs)) {
    penstock::Rows row = ports.take(0, 1);
    for (int port = 1; port < kMany; ++port) row = beside(std::move(row), ports.take(port, 1));
    if (row.formats().count() != kMany) throw std::logic_error("a column has no format");
    const std::int64_t last = row.column<std::int64_t>(kMany - 1)[0];
    ports.push(std::move(row));
    if (last < 0) break;
  }
  const std::array<penstock::Need, 6> odd{{{8, 1}, {3, 1}, {5, 1}, {7, 1}, {1, 2}, {4, 1}}};
  if (co_await ports.any(odd)) throw std::runtime_error("enough at one of them");
}
PENSTOCK_LOOP(firsts_of_all, "", "");

// Takes no rows before it takes all.
penstock::Loop none_then_all(penstock::Ports& ports) {
  while (co_await ports.all({0, 1})) {
    penstock::Rows none = ports.take(0, 0);
    if (none.rows() != 0 || none.columns() != 1) throw std::logic_error("some rows");
    ports.push(std::move(none));
    ports.push(ports.take(0));
  }
}
PENSTOCK_LOOP(none_then_all, "", "");

std::int32_t push_badly(void* loop, std::int32_t /*done*/) {
  auto* const host = static_cast<penstock_loop_host*>(loop);
  ArrowArray given{};
  if (host->rows(host, 0) == 0) {
    const penstock_need need{0, 1};
    host->wait(host, 0, &need, 1);
    return PENSTOCK_LOOP_WAITS;
  }
  (void)host->take(host, 0, 1, &given);
  given.children[0]->n_buffers = 3;
  if (host->push(host, 0, &given) == 0) return PENSTOCK_LOOP_ENDED;
  host->fail(host, host->message);
  return PENSTOCK_LOOP_FAILED;
}

}  // namespace

namespace penstock {
namespace {

using loops::Emitted;
using loops::failure_of;
using loops::Ints;
using support::make_int_batch;

class LibraryLoopTest : public testing::Test {
 protected:
  void make(const penstock_loop& functions, const std::vector<std::string>& ports) {
    auto options = loops::with_ports(ports);
    options.quantum.length = quantum;
    ops::LibraryLoop library{.where = "libmine.so:tested", .functions = functions};
    for (std::size_t port = 0; port < ports.size(); ++port) {
      library.inputs.push_back({.columns = {0}, .fields = tuple::read_fields(loops::ints())});
    }
    auto& out = library.outputs.emplace_back();
    for (std::size_t port = 0; port < ports.size(); ++port) {
      out.fields.push_back(tuple::read_fields(loops::ints()).front());
    }
    body = ops::make_library_loop(std::move(options), std::move(library));
  }
  void process(Ints values, int port = 0) {
    body->process(loops::as_tuple(make_int_batch(std::move(values))), port, output);
    for (; body->paused(); ++pauses) body->resume(output);
  }
  void finish() {
    body->finish(output);
    for (; body->paused(); ++pauses) body->resume(output);
  }

  std::chrono::nanoseconds quantum = std::chrono::hours(1);
  std::unique_ptr<graph::Operator> body;
  Emitted output;
  int pauses = 0;
};

TEST_F(LibraryLoopTest, may_take_no_rows_and_push_them) {
  make(penstock_loop_none_then_all, {"rows"});
  process({1, 2});
  process({3});
  EXPECT_EQ(output.values[0], (Ints{1, 2, 3}));
  EXPECT_EQ(output.emissions, 3) << "one for each row that woke it";
}

TEST_F(LibraryLoopTest, waits_for_as_many_ports_as_there_are) {
  std::vector<std::string> ports;
  for (int port = 0; port < kMany; ++port) ports.push_back("p" + std::to_string(port));
  make(penstock_loop_firsts_of_all, ports);
  for (int port = kMany - 1; port >= 0; --port) {
    EXPECT_EQ(output.values[0], Ints()) << "port " << port << " is short";
    process({port, -1}, port);
  }
  EXPECT_EQ(output.values[0], (Ints{0, -1}));
  EXPECT_EQ(output.last.columns(), kMany);
  process({1}, 1);
  const auto said = failure_of([&] { process({2}, 1); });
  EXPECT_EQ(said.second, "library loop 'libmine.so:tested': enough at one of them");
  output.last = {};
}

TEST_F(LibraryLoopTest, takes_rows_of_its_ports_and_passes_them_on_without_a_copy) {
  const int before = support::live_batches;
  make(penstock_loop_pairs, {"left", "right"});
  process({1, 2, 3}, 0);
  process({4, 5}, 1);
  EXPECT_EQ(output.values[0], (Ints{1, 2}));
  EXPECT_EQ(output.last.columns(), 2);
  process({6}, 1);
  finish();
  EXPECT_EQ(output.values[0], (Ints{1, 2, 3}));
  output.last = {};
  body.reset();
  EXPECT_EQ(support::live_batches, before);
}

TEST_F(LibraryLoopTest, is_told_when_its_wait_is_over_and_takes_the_rest) {
  make(penstock_loop_sums, {"rows"});
  process({1, 2, 3});
  process({4, 5});
  EXPECT_EQ(output.values[0], (Ints{3, 7}));
  finish();
  EXPECT_EQ(output.values[0], (Ints{3, 7, 5}));
  EXPECT_FALSE(body->completed());
}

TEST_F(LibraryLoopTest, is_interrupted_where_it_waits) {
  quantum = std::chrono::nanoseconds(0);
  make(penstock_loop_sums, {"rows"});
  process({1, 2, 3, 4});
  finish();
  EXPECT_EQ(output.values[0], (Ints{3, 7}));
  EXPECT_GT(pauses, 0);
}

TEST_F(LibraryLoopTest, fails_with_what_it_throws_at_the_row_and_lets_go_of_its_rows) {
  const int before = support::live_batches;
  make(penstock_loop_sums, {"rows"});
  const auto [row, text] = failure_of([&] { process({1, 2, 13, 3, 4}); });
  EXPECT_EQ(row, 3);
  EXPECT_EQ(text, "library loop 'libmine.so:tested': 13 is unlucky");
  body.reset();
  output.last = {};
  EXPECT_EQ(support::live_batches, before);
}

TEST_F(LibraryLoopTest, refuses_arrays_that_are_not_of_the_columns_it_declared) {
  make({PENSTOCK_LOOP_ABI, "rows: n bigint", "out: n bigint",
        [](penstock_loop_host* host) { return static_cast<void*>(host); }, push_badly,
        [](void* /*loop*/) {}},
       {"rows"});
  const auto said = failure_of([&] { process({1}); });
  EXPECT_NE(said.second.find("'value'"), std::string::npos) << said.second;
  EXPECT_NE(said.second.find("with 3 buffers, but it has 2"), std::string::npos) << said.second;
}

TEST_F(LibraryLoopTest, ends_with_what_was_told_to_it_from_outside_as_it_came) {
  struct Closed final : graph::Output {
    void emit(tuple::Batch /*batch*/, int /*port*/) override {
      throw graph::Interrupted(std::make_exception_ptr(std::runtime_error("stop")));
    }
    void punctuate(int /*port*/) override {}
    [[nodiscard]] int ports() const override { return 1; }
  };
  make(penstock_loop_sums, {"rows"});
  Closed closed;
  EXPECT_THROW(body->process(loops::as_tuple(make_int_batch({1, 2})), 0, closed),
               graph::Interrupted);
}

}  // namespace
}  // namespace penstock
