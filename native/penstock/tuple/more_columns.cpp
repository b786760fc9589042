#include "penstock/tuple/more_columns.hpp"

namespace penstock::tuple {

ArrowArray borrow_column(const Batch& batch, int position) {
  const ColumnSlice column = batch.column(position);
  ArrowArray shown = OwnArray::borrow(*column.array, batch);
  if (shown.null_count != 0) shown.null_count = -1;  // not counted again for every cut
  shown.offset = column.offset;
  shown.length = column.length;
  return shown;
}

OwnArray begin_with(const Batch& batch, std::size_t others) {
  OwnArray root(batch.rows(), static_cast<std::size_t>(batch.columns()) + others);
  root.skip_buffer();
  for (int i = 0; i < batch.columns(); ++i) root.add_child(borrow_column(batch, i));
  return root;
}

}  // namespace penstock::tuple
