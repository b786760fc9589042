#include "penstock/tuple/more_columns.hpp"

namespace penstock::tuple {

OwnArray begin_with(const Batch& batch) {
  OwnArray root(batch.rows());
  root.skip_buffer();
  for (int i = 0; i < batch.columns(); ++i) {
    const ColumnSlice column = batch.column(i);
    ArrowArray shown = OwnArray::borrow(*column.array, batch);
    if (shown.null_count != 0) shown.null_count = -1;  // not counted again for every cut
    shown.offset = column.offset;
    shown.length = column.length;
    root.add_child(shown);
  }
  return root;
}

}  // namespace penstock::tuple
