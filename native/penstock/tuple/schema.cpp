#include "penstock/tuple/schema.hpp"

#include <utility>

namespace penstock::tuple {

namespace {

using Reference = std::shared_ptr<ArrowSchema>;

void release_exported(ArrowSchema* schema) {
  schema->release = nullptr;
  delete static_cast<Reference*>(schema->private_data);  // NOLINT(cppcoreguidelines-owning-memory)
}

}  // namespace

Schema::Schema(ArrowSchema& schema)
    : original_(new ArrowSchema(std::exchange(schema, ArrowSchema{})), [](ArrowSchema* owned) {
        if (owned->release != nullptr) owned->release(owned);
        delete owned;  // NOLINT(cppcoreguidelines-owning-memory)
      }) {}

void Schema::export_to(ArrowSchema& out) const {
  // Names, formats and children stay the original's: the copy only keeps it alive.
  out = *original_;
  out.release = release_exported;
  out.private_data = new Reference(original_);  // NOLINT(cppcoreguidelines-owning-memory)
}

}  // namespace penstock::tuple
