#include "penstock/ops/select.hpp"

#include <stdexcept>
#include <string>
#include <utility>

namespace penstock::ops {

Select::Select(std::vector<int> positions) : positions_(std::move(positions)) {
  for (const int position : positions_) {
    if (position < 0) {
      throw std::invalid_argument("a column position cannot be negative, got " +
                                  std::to_string(position));
    }
  }
}

void Select::process(const tuple::Tuple& tuple, int /*port*/, graph::Output& output) {
  for (const int position : positions_) {
    if (position >= tuple.batch.columns()) {
      throw std::out_of_range("column " + std::to_string(position) +
                              " was asked for, but the rows have " +
                              std::to_string(tuple.batch.columns()) + " columns");
    }
  }
  output.emit(tuple.batch.select(positions_), 0);
}

}  // namespace penstock::ops
