#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "penstock/tuple/batch.hpp"
#include "penstock/tuple/field.hpp"
#include "penstock/tuple/schema.hpp"

namespace penstock::tuple {

// A row of one of several batches.
struct RowRef {
  std::int32_t batch;
  std::int32_t row;
};

// Makes batches of chosen rows of other batches of one schema, in the order asked for; a row may be
// asked for more than once. The values are copied to buffers of the new batch's own, except that a
// dictionary is shared if all rows have the same one, and rows that follow each other in one batch
// become a slice of it. Different dictionaries are put one behind the other.
//
// Immutable after construction: threads may share one.
class Gatherer {
 public:
  // Throws std::invalid_argument, naming the column, for types whose rows cannot be moved: unions,
  // list views and run-end encoding, none of which Spark has.
  explicit Gatherer(const Schema& schema);
  explicit Gatherer(std::vector<Field> fields);

  // Throws std::length_error, naming the column, if its type cannot hold that many bytes, items or
  // dictionary entries.
  [[nodiscard]] Batch gather(std::span<const Batch> batches, std::span<const RowRef> rows) const;
  [[nodiscard]] Batch take(const Batch& batch, std::span<const std::int32_t> rows) const;

 private:
  std::vector<Field> fields_;
};

// For a single use.
[[nodiscard]] Batch gather(const Schema& schema, std::span<const Batch> batches,
                           std::span<const RowRef> rows);
[[nodiscard]] Batch take(const Schema& schema, const Batch& batch,
                         std::span<const std::int32_t> rows);

}  // namespace penstock::tuple
