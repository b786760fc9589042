#pragma once

#include <memory>
#include <span>
#include <vector>

#include "penstock/tuple/arrow_abi.hpp"
#include "penstock/tuple/batch.hpp"

namespace penstock::tuple {

// What the columns of a batch are, for all that was cut from it.
struct Batch::Columns {
  Columns() = default;
  Columns(const Columns&) = delete;
  Columns& operator=(const Columns&) = delete;
  Columns(Columns&&) = delete;
  Columns& operator=(Columns&&) = delete;
  ~Columns() {
    for (ArrowArray& array : composed) {
      if (array.release != nullptr) array.release(&array);
    }
  }

  std::shared_ptr<const void> owner;  // of all arrays but those below
  std::vector<ArrowArray> composed;   // new ones, and what is shown of others, which has no release
  std::vector<ArrowArray*> chosen;    // none if all of the owner's are
  std::span<ArrowArray* const> arrays;
};

}  // namespace penstock::tuple
