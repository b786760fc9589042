#include "penstock/tuple/composer.hpp"

#include <utility>

#include "penstock/base/check.hpp"
#include "penstock/tuple/batch_columns.hpp"

namespace penstock::tuple {

Composer::Composer(const Batch& batch, std::size_t columns)
    : batch_(batch), columns_(std::make_shared<Batch::Columns>()) {
  columns_->owner = batch.columns_;
  columns_->composed.reserve(columns);
}

void Composer::pass(int position) {
  const ColumnSlice column = batch_.column(position);
  ArrowArray shown = *column.array;
  shown.release = nullptr;
  if (shown.null_count != 0) shown.null_count = -1;  // not counted again for every cut
  shown.offset = column.offset;
  shown.length = column.length;
  columns_->composed.push_back(shown);
}

void Composer::pass_all() {
  for (int i = 0; i < batch_.columns(); ++i) pass(i);
}

void Composer::add(ArrowArray made) {
  try {
    PENSTOCK_CHECK(made.length == batch_.rows(), "a new column has as many rows as the others");
    columns_->composed.push_back(made);
  } catch (...) {
    made.release(&made);
    throw;
  }
}

Batch Composer::finish() && {
  columns_->chosen.reserve(columns_->composed.size());
  for (ArrowArray& array : columns_->composed) columns_->chosen.push_back(&array);
  columns_->arrays = columns_->chosen;
  Batch made;
  made.rows_ = batch_.rows();
  made.columns_ = std::move(columns_);
  return made;
}

}  // namespace penstock::tuple
