#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "penstock/ops/accumulator.hpp"
#include "penstock/tuple/arrow_abi.hpp"
#include "penstock/tuple/field.hpp"
#include "penstock/tuple/own_array.hpp"

namespace penstock::ops {

// A column that accumulators write, value by value in any order, and the Arrow array it becomes.
class MadeColumn {
 public:
  enum class Nulls { kSome, kNever };

  MadeColumn(const tuple::Field& field, std::int64_t rows, Nulls nulls = Nulls::kSome);

  // Where the values go; lasts as long as the column is not moved.
  [[nodiscard]] Column target() noexcept;
  // Throws std::length_error, naming the column, if its type cannot hold that many bytes.
  [[nodiscard]] ArrowArray finish() &&;

 private:
  template <typename Offset>
  void write_texts(tuple::OwnArray& array) const;

  const tuple::Field* field_;
  std::int64_t rows_;
  tuple::OwnArray array_;
  std::uint8_t* bitmap_ = nullptr;
  void* values_ = nullptr;
  std::vector<std::uint8_t> valid_;  // a byte for each row, empty where nothing is ever null
  std::vector<std::uint8_t> flags_;  // the same for booleans
  std::vector<std::string> texts_;
};

}  // namespace penstock::ops
