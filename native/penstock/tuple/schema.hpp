#pragma once

#include <memory>

#include "penstock/tuple/arrow_abi.hpp"

namespace penstock::tuple {

// An Arrow schema that is described once and handed out any number of times.
class Schema {
 public:
  // Takes the schema over; `schema` is left released.
  explicit Schema(ArrowSchema& schema);

  void export_to(ArrowSchema& out) const;

  // As the maker described it, for as long as this schema or a copy of it lives.
  [[nodiscard]] const ArrowSchema& arrow() const noexcept { return *original_; }

 private:
  std::shared_ptr<ArrowSchema> original_;
};

}  // namespace penstock::tuple
