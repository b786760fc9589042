#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "penstock/ops/keyed_rows.hpp"

#include "support/arrow_reading.hpp"
#include "support/arrow_values.hpp"

namespace penstock::support {

// What an operator that keeps rows gives out, as the values of one column.
class KeptColumn final : public graph::Output {
 public:
  KeptColumn(std::vector<Type> types, std::size_t column)
      : types_(std::move(types)), column_(column) {}

  void emit(tuple::Batch batch, int /*port*/) override {
    auto columns = read_batch(types_, std::move(batch));
    for (auto& value : columns[column_]) values.push_back(std::move(value));
  }
  void punctuate(int /*port*/) override {}
  [[nodiscard]] int ports() const override { return 1; }

  Values values;

 private:
  std::vector<Type> types_;
  std::size_t column_;
};

inline tuple::Tuple tuple_of(const std::vector<Type>& types, const std::vector<Values>& columns) {
  tuple::Batch batch = make_batch(types, columns, 2);
  const auto rows = batch.rows();
  return {.batch = std::move(batch), .origin = {.count = rows}};
}

// Everything that `from` knows moves to `to`: the keys in packages, or, without keys, the snapshot.
inline void move_all(ops::KeyedRows& from, ops::KeyedRows& to) { to.collect(from.snapshot()); }

inline Value whole(std::int64_t value) { return number(value); }

inline Values wholes(const std::vector<std::int64_t>& values) {
  Values made;
  for (const auto value : values) made.push_back(number(value));
  return made;
}

}  // namespace penstock::support
