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

 private:
  std::shared_ptr<ArrowSchema> original_;
};

}  // namespace penstock::tuple
