#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "penstock/ops/window_values.hpp"
#include "penstock/tuple/row_codec.hpp"
#include "penstock/tuple/schema.hpp"

namespace penstock::ops {

// The columns that aggregates read, of rows that are kept until their window is known for good:
// those of sessions, which may merge, and those that leave a window before it closes.
class KeptColumns {
 public:
  // Throws std::invalid_argument, naming the column, for one that cannot be kept.
  KeptColumns(const tuple::Schema& input, const std::vector<Aggregate>& aggregates);

  // The aggregates over such columns.
  [[nodiscard]] WindowValues make_values() const { return {codec_.fields(), aggregates_}; }

  // Reads the rows of a batch, which must last, from now on.
  void begin(const tuple::Batch& given) { rows_.emplace(codec_, given.select(columns_)); }
  // What is to be kept of a row.
  [[nodiscard]] std::string keep(std::int64_t row) const;
  // A slot with these rows in it. Throws graph::FailedAtRow, with `row`, which closes the window.
  [[nodiscard]] std::uint32_t fold(std::span<const std::string_view> kept, std::int32_t row,
                                   WindowValues& values) const;

 private:
  std::vector<int> columns_;           // of the input
  std::vector<Aggregate> aggregates_;  // of such columns
  tuple::RowCodec codec_;
  std::optional<tuple::RowEncoder> rows_;
};

}  // namespace penstock::ops
