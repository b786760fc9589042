#pragma once

#include <vector>

#include "penstock/tuple/batch.hpp"
#include "penstock/tuple/field.hpp"
#include "penstock/tuple/schema.hpp"

#include "penstock_operator.h"

namespace penstock::ops {

// The columns of a schema at these positions. Throws std::invalid_argument, naming the column, if
// its values do not lie as penstock_operator.h says.
[[nodiscard]] std::vector<tuple::Field> frame_fields(const tuple::Schema& schema,
                                                     const std::vector<int>& positions);
// The positions of all columns.
[[nodiscard]] std::vector<int> all_columns(const tuple::Schema& schema);

// Columns of a batch as a compiled function sees them. Immutable: threads may share one.
class FrameColumns {
 public:
  // Throws what frame_fields() throws.
  FrameColumns(const tuple::Schema& schema, std::vector<int> positions);

  // Of the columns at the positions, in their order. No byte is copied, and they last as long as
  // the batch does.
  [[nodiscard]] std::vector<penstock_column> of(const tuple::Batch& batch) const;

 private:
  std::vector<int> positions_;
  std::vector<tuple::Field> fields_;
};

}  // namespace penstock::ops
