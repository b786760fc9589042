#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "penstock/graph/row_failure.hpp"
#include "penstock/loop/loop.hpp"
#include "penstock/loop/loop_operator.hpp"
#include "penstock/loop/ports.hpp"
#include "penstock/tuple/borrow_column.hpp"
#include "penstock/tuple/composer.hpp"
#include "penstock/tuple/own_array.hpp"

#include "support/arrow_columns.hpp"
#include "support/int_batch.hpp"

namespace penstock::loops {

using loop::Loop;
using loop::LoopOperator;
using loop::Ports;
using Ints = std::vector<std::int64_t>;

// Driver loops as they are written, over ports of one int64 column.

// Pairs the rows of two ports (C-Stream, Listing 2).
inline Loop barrier(Ports& ports) {
  while (co_await ports.all({0, 1}, {1, 1})) {
    const std::int64_t rows = std::min(ports.in(0).rows(), ports.in(1).rows());
    tuple::Composer pairs(ports.in(0).take(rows), 2);
    pairs.pass_all();
    pairs.add(tuple::borrow_column(ports.in(1).take(rows), 0));
    co_await ports.out().push(std::move(pairs).finish());
  }
}

// Rows of port 0 pass while the last row of port 1 is not 0.
inline Loop gate(Ports& ports) {
  bool open = false;
  while (co_await ports.any({0, 1}, {1, 1})) {
    if (ports.in(1).rows() > 0) open = support::read_column(ports.in(1).take()).back() != 0;
    tuple::Batch rows = ports.in(0).take();
    if (open) {
      co_await ports.out().push(std::move(rows));
    }
  }
}

// Each row of port 1 says to which output the next one of port 0 goes.
inline Loop switch_over(Ports& ports) {
  while (co_await ports.all({0, 1}, {1, 1})) {
    const auto to = support::read_column(ports.in(1).take(1)).front();
    co_await ports.out(static_cast<int>(to)).push(ports.in(0).take(1));
  }
}

// The rows of two ports, each of which ascends, as one that does.
inline Loop merge(Ports& ports) {
  const auto first = [&ports](int port) {
    return support::read_column(ports.in(port).front().slice(0, 1)).front();
  };
  while (co_await ports.all({0, 1}, {1, 1})) {
    tuple::Batch made = ports.in(first(1) < first(0) ? 1 : 0).take(1);
    co_await ports.out().push(std::move(made));
  }
  for (int port = 0; port < 2; ++port) {
    while (co_await ports.any({port, 1})) {
      tuple::Batch made = ports.in(port).take_batch();
      co_await ports.out().push(std::move(made));
    }
  }
}

inline tuple::Schema ints() { return support::make_schema({{.format = "l", .name = "value"}}); }

inline LoopOperator::Options with_ports(const std::vector<std::string>& names) {
  LoopOperator::Options options{.name = "tested"};
  for (const auto& name : names) options.inputs.push_back({name, ints(), {}});
  // Tests decide by themselves when time passes.
  options.quantum.clock = [] { return std::chrono::nanoseconds(0); };
  return options;
}

// A row of a tagged stream: for which port, and the value.
using Row = std::pair<int, std::int64_t>;

// The tag of one row may be null, whatever stands under it.
inline tuple::Batch tagged(const std::vector<Row>& rows, std::int64_t null_row = -1) {
  Ints values;
  tuple::OwnArray tags(std::ssize(rows));
  if (null_row < 0) {
    tags.skip_buffer();
  } else {
    auto* valid = tags.add_buffer<std::uint8_t>(std::ssize(rows));
    std::fill_n(valid, rows.size(), std::uint8_t{0xFF});
    valid[null_row / 8] &= static_cast<std::uint8_t>(~(1U << (null_row % 8)));
  }
  auto* tag = tags.add_buffer<std::int8_t>(std::ssize(rows));
  for (const auto& [port, value] : rows) {
    *tag++ = static_cast<std::int8_t>(port);
    values.push_back(value);
  }
  tuple::OwnArray root(std::ssize(rows));
  root.skip_buffer();
  root.add_child(std::move(tags).finish(null_row < 0 ? 0 : 1));
  root.add_child(tuple::borrow_column(support::make_int_batch(std::move(values)), 0));
  return std::move(root).finish_batch();
}

inline tuple::Tuple as_tuple(tuple::Batch batch) {
  const std::int64_t rows = batch.rows();
  return {.batch = std::move(batch), .origin = {.count = rows}};
}

// What a loop emits.
class Emitted final : public graph::Output {
 public:
  static constexpr std::int64_t kMark = -1000;

  explicit Emitted(int ports = 1) : values(static_cast<std::size_t>(ports)) {}

  void emit(tuple::Batch batch, int port) override {
    ++emissions;
    auto& to = values[static_cast<std::size_t>(port)];
    const auto made = support::read_column(batch);
    to.insert(to.end(), made.begin(), made.end());
    last = std::move(batch);
  }
  void punctuate(int port) override { values[static_cast<std::size_t>(port)].push_back(kMark); }
  [[nodiscard]] int ports() const override { return static_cast<int>(values.size()); }

  std::vector<Ints> values;
  tuple::Batch last;
  int emissions = 0;
};

// Puts one tuple in, and goes on for as long as the loop pauses. Returns how often it did.
inline int process(LoopOperator& body, tuple::Batch batch, Emitted& output, int port = 0) {
  body.process(as_tuple(std::move(batch)), port, output);
  int pauses = 0;
  for (; body.paused(); ++pauses) body.resume(output);
  return pauses;
}

// What `work` fails with, and at which row of its tuple.
template <typename Work>
std::pair<std::int64_t, std::string> failure_of(Work work) {
  try {
    work();
  } catch (const graph::FailedAtRow& failed) {
    try {
      std::rethrow_exception(failed.cause());
    } catch (const std::exception& error) {
      return {failed.row(), error.what()};
    }
  } catch (const std::exception& error) {
    return {graph::FailedAtRow::kUnknownRow, error.what()};
  }
  return {0, "nothing failed"};
}

}  // namespace penstock::loops
