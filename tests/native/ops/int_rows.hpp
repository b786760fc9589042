#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "penstock/graph/operator.hpp"
#include "penstock/tuple/batch.hpp"
#include "penstock/tuple/schema.hpp"

#include "support/arrow_reading.hpp"
#include "support/arrow_values.hpp"
#include "support/int_batch.hpp"

namespace penstock::support {

using IntRow = std::vector<std::int64_t>;
using IntRows = std::vector<IntRow>;
constexpr std::int64_t kNull = -999;  // stands for null where rows are read

inline tuple::Schema int_columns(const std::vector<std::string>& names) {
  std::vector<Type> types;
  for (const auto& name : names) types.push_back({.format = "l", .name = name});
  return make_schema(types);
}

inline tuple::Tuple int_rows(const IntRows& rows, std::size_t columns) {
  std::vector<std::vector<std::int64_t>> values(columns);
  for (const auto& row : rows) {
    for (std::size_t at = 0; at < columns; ++at) values[at].push_back(row[at]);
  }
  ArrowArray array = make_int_array(std::move(values));
  return {.batch = tuple::Batch::adopt(array), .origin = {}};
}

// Collects rows of 64-bit columns.
class IntRowsOutput final : public graph::Output {
 public:
  void emit(tuple::Batch batch, int /*port*/) override {
    for (std::int64_t row = 0; row < batch.rows(); ++row) {
      IntRow values;
      for (int at = 0; at < batch.columns(); ++at) {
        const auto column = batch.column(at);
        const auto* const valid = column.array->buffers[0];
        const bool null = valid != nullptr && !get_bit(valid, column.offset + row);
        values.push_back(
            null ? kNull
                 : read_number<std::int64_t>(column.array->buffers[1], column.offset + row));
      }
      rows.push_back(std::move(values));
    }
  }
  void punctuate(int /*port*/) override {}
  [[nodiscard]] int ports() const override { return 1; }

  IntRows rows;
};

}  // namespace penstock::support
