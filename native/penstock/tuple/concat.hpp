#pragma once

#include <span>
#include <vector>

#include "penstock/tuple/batch.hpp"
#include "penstock/tuple/field.hpp"
#include "penstock/tuple/schema.hpp"

namespace penstock::tuple {

// Makes one batch of several of a schema, one behind the other. What was one array before it was
// cut becomes one again without a copy.
//
// Immutable after construction: threads may share one.
class Concatenator {
 public:
  explicit Concatenator(const Schema& schema);

  // False for columns whose values are not simply copied: nested ones, views and dictionaries.
  [[nodiscard]] bool can_join() const noexcept { return can_join_; }

  // Only if can_join(), and of one batch at least. Throws std::length_error, naming the column, if
  // its type cannot hold that many bytes.
  [[nodiscard]] Batch join(std::span<const Batch> batches) const;

 private:
  std::vector<Field> fields_;
  bool can_join_ = true;
};

}  // namespace penstock::tuple
