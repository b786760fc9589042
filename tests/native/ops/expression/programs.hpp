#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "penstock/graph/operator.hpp"
#include "penstock/graph/row_failure.hpp"
#include "penstock/ops/expression/program.hpp"

#include "support/arrow_reading.hpp"
#include "support/arrow_values.hpp"

// What the tests of expressions share.
namespace penstock::ops::expression {

using support::null_value;
using support::number;
using support::Values;
using ColumnType = support::Type;

inline Instruction column(std::string type, int position) {
  return {.word = "column", .type = std::move(type), .args = {position}, .bits = {}};
}

template <typename Value>
Instruction literal(std::string type, Value value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(value));
  return {.word = "literal", .type = std::move(type), .args = {}, .bits = bits};
}

inline Instruction call(std::string word, std::string type, std::vector<int> args) {
  return {.word = std::move(word), .type = std::move(type), .args = std::move(args), .bits = {}};
}

class Collected final : public graph::Output {
 public:
  void emit(tuple::Batch batch, int /*port*/) override { made.push_back(std::move(batch)); }
  void emit_rows(tuple::Batch batch, std::span<const std::int32_t> from, int port) override {
    rows.assign(from.begin(), from.end());
    emit(std::move(batch), port);
  }
  void punctuate(int /*port*/) override {}
  [[nodiscard]] int ports() const override { return 1; }

  std::vector<tuple::Batch> made;
  std::vector<std::int32_t> rows;
};

struct Ended {
  std::int64_t row;
  std::string why;
};

// Lets an operator work on a batch, and tells how that ended if it failed.
inline std::optional<Ended> work(graph::Operator& body, const tuple::Batch& batch,
                                 Collected& output) {
  try {
    body.process({.batch = batch, .origin = {.first = 0, .count = batch.rows()}}, 0, output);
  } catch (const graph::FailedAtRow& failed) {
    try {
      std::rethrow_exception(failed.cause());
    } catch (const std::exception& error) {
      return Ended{.row = failed.row(), .why = error.what()};
    }
  }
  return std::nullopt;
}

}  // namespace penstock::ops::expression
