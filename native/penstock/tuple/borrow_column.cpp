#include "penstock/tuple/borrow_column.hpp"

#include "penstock/tuple/own_array.hpp"

namespace penstock::tuple {

ArrowArray borrow_column(const Batch& batch, int position) {
  const ColumnSlice column = batch.column(position);
  ArrowArray shown = OwnArray::borrow(*column.array, batch);
  if (shown.null_count != 0) shown.null_count = -1;  // not counted again for every cut
  shown.offset = column.offset;
  shown.length = column.length;
  return shown;
}

}  // namespace penstock::tuple
