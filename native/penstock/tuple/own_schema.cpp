#include "penstock/tuple/own_schema.hpp"

#include <memory>

#include "penstock/base/check.hpp"

namespace penstock::tuple {

namespace {

// What the root owns. A column that was moved out by a consumer keeps its share.
struct Columns {
  std::vector<Field> fields;
  std::vector<ArrowSchema> nodes;
  std::vector<ArrowSchema*> children;
};
constexpr std::int64_t kNullable = 2;  // ARROW_FLAG_NULLABLE
using Share = std::shared_ptr<Columns>;

void release_column(ArrowSchema* schema) {
  schema->release = nullptr;
  delete static_cast<Share*>(schema->private_data);  // NOLINT(cppcoreguidelines-owning-memory)
}

void release_root(ArrowSchema* schema) {
  const std::unique_ptr<Share> share(static_cast<Share*>(schema->private_data));
  for (ArrowSchema& node : (*share)->nodes) {
    if (node.release != nullptr) node.release(&node);
  }
  schema->release = nullptr;
}

}  // namespace

Schema make_schema(const std::vector<Field>& fields) {
  const auto columns = std::make_shared<Columns>();
  columns->fields = fields;
  columns->nodes.resize(fields.size());
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const Field& field = columns->fields[i];
    PENSTOCK_CHECK(field.children.empty() && field.dictionary.empty(), "columns are flat");
    columns->nodes[i] = {.format = field.format.c_str(), .name = field.name.c_str()};
    columns->nodes[i].flags = kNullable;
    columns->children.push_back(&columns->nodes[i]);
  }
  ArrowSchema root{.format = "+s", .name = ""};
  root.n_children = std::ssize(columns->children);
  root.children = columns->children.data();
  root.private_data = new Share(columns);  // NOLINT(cppcoreguidelines-owning-memory)
  root.release = release_root;
  Schema made(root);  // frees what is there if a column fails
  for (ArrowSchema& node : columns->nodes) {
    node.private_data = new Share(columns);  // NOLINT(cppcoreguidelines-owning-memory)
    node.release = release_column;
  }
  return made;
}

}  // namespace penstock::tuple
