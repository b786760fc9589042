#pragma once

#include <cstddef>
#include <memory>

#include "penstock/tuple/arrow_abi.hpp"
#include "penstock/tuple/batch.hpp"

namespace penstock::tuple {

// A batch in the making: columns of another one as they are, and new ones. However many pass, it
// takes the same few allocations. Whatever was not finished frees itself.
class Composer {
 public:
  // As many rows as `batch` has. Room for so many columns is made at once; there may be more.
  Composer(const Batch& batch, std::size_t columns);

  // A column of the batch.
  void pass(int position);
  void pass_all();
  // Takes the array over, also if it throws.
  void add(ArrowArray made);

  [[nodiscard]] Batch finish() &&;

 private:
  Batch batch_;
  std::shared_ptr<Batch::Columns> columns_;
};

}  // namespace penstock::tuple
