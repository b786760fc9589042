#include "penstock/tuple/batch.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "penstock/base/check.hpp"
#include "penstock/tuple/batch_columns.hpp"

namespace penstock::tuple {

namespace {

// A record batch as its maker handed it over.
struct Original {
  explicit Original(ArrowArray& taken) noexcept : array(std::exchange(taken, ArrowArray{})) {}
  Original(const Original&) = delete;
  Original& operator=(const Original&) = delete;
  Original(Original&&) = delete;
  Original& operator=(Original&&) = delete;
  ~Original() {
    if (array.release != nullptr) array.release(&array);
  }

  ArrowArray array;
};

// What an exported struct array points to. The root and every child hold a reference of their
// own, because a consumer may move a child out and release the root first. All of it is one
// allocation where there are few columns: a reference is kept in what it refers to, and whoever
// releases takes it out.
struct Exported {
  using Reference = std::shared_ptr<Exported>;
  // NOLINTBEGIN(*-member-init): filled for the columns that there are
  struct Child {
    ArrowArray array;
    Reference reference;
  };
  static constexpr std::size_t kFew = 4;

  Exported(std::shared_ptr<const void> exported, std::size_t columns) : owner(std::move(exported)) {
    if (columns <= kFew) return;
    many.resize(columns);
    many_pointers.resize(columns);
  }
  // NOLINTEND(*-member-init)

  [[nodiscard]] Child* children() noexcept { return many.empty() ? few.data() : many.data(); }
  [[nodiscard]] ArrowArray** pointers() noexcept {
    return many.empty() ? few_pointers.data() : many_pointers.data();
  }

  std::shared_ptr<const void> owner;
  std::array<Child, kFew> few;
  std::array<ArrowArray*, kFew> few_pointers;
  std::vector<Child> many;
  std::vector<ArrowArray*> many_pointers;
  Reference of_root;
  const void* no_validity = nullptr;
};

void release_child(ArrowArray* child) {
  child->release = nullptr;
  const auto last = std::move(*static_cast<Exported::Reference*>(child->private_data));
}

void release_root(ArrowArray* root) {
  for (auto* child : std::span(root->children, static_cast<std::size_t>(root->n_children))) {
    if (child->release != nullptr) child->release(child);
  }
  release_child(root);
}

// Known only where all or none are null: the rest is not counted again for every cut.
std::int64_t nulls_after_cut(const ArrowArray& array, std::int64_t rows) noexcept {
  if (array.null_count == 0 || array.length == rows) return array.null_count;
  return array.null_count == array.length ? rows : -1;
}

}  // namespace

Batch Batch::adopt(ArrowArray& array) {
  auto original = std::make_shared<const Original>(array);
  const ArrowArray& root = original->array;
  if (root.release == nullptr) throw std::invalid_argument("the Arrow array was released already");
  if (root.null_count > 0) {
    throw std::invalid_argument("a record batch cannot be null as a row, but " +
                                std::to_string(root.null_count) + " rows are");
  }
  auto columns = std::make_shared<Columns>();
  columns->arrays = {root.children, static_cast<std::size_t>(root.n_children)};
  columns->owner = std::move(original);
  Batch batch;
  batch.first_ = root.offset;
  batch.rows_ = root.length;
  batch.columns_ = std::move(columns);
  return batch;
}

std::int64_t Batch::columns() const noexcept {
  return columns_ ? static_cast<std::int64_t>(columns_->arrays.size()) : 0;
}

ColumnSlice Batch::column(int position) const {
  PENSTOCK_CHECK(position >= 0 && position < columns(), "a column that is read must exist");
  const ArrowArray* array = columns_->arrays[static_cast<std::size_t>(position)];
  return {.array = array, .offset = array->offset + first_, .length = rows_};
}

Batch Batch::slice(std::int64_t first, std::int64_t count) const {
  PENSTOCK_CHECK(first >= 0 && count >= 0 && first + count <= rows_,
                 "a slice must lie within its batch");
  Batch part = *this;
  part.first_ += first;
  part.rows_ = count;
  return part;
}

Batch Batch::select(std::span<const int> positions) const {
  auto chosen = std::make_shared<Columns>();
  // What was composed is its own owner.
  chosen->owner = columns_->composed.empty() ? columns_->owner : columns_;
  chosen->chosen.reserve(positions.size());
  for (const int position : positions) {
    PENSTOCK_CHECK(position >= 0 && position < columns(), "a selected column must exist");
    chosen->chosen.push_back(columns_->arrays[static_cast<std::size_t>(position)]);
  }
  chosen->arrays = chosen->chosen;
  Batch selected = *this;
  selected.columns_ = std::move(chosen);
  return selected;
}

void Batch::export_to(ArrowArray& out) && {
  PENSTOCK_CHECK(columns_ != nullptr, "only a batch that was adopted can be exported");
  const auto columns = std::exchange(columns_, nullptr);
  const std::size_t count = columns->arrays.size();
  auto exported = std::make_shared<Exported>(columns, count);
  const std::span children(exported->children(), count);
  const std::span pointers(exported->pointers(), count);
  for (std::size_t at = 0; at < count; ++at) {
    const ArrowArray& array = *columns->arrays[at];
    auto& [child, reference] = children[at];
    reference = exported;
    child = array;
    child.null_count = nulls_after_cut(array, rows_);
    child.offset += first_;
    child.length = rows_;
    child.release = release_child;
    child.private_data = &reference;
    pointers[at] = &child;
  }
  exported->of_root = exported;
  out = ArrowArray{.length = rows_,
                   .null_count = 0,
                   .offset = 0,
                   .n_buffers = 1,
                   .n_children = static_cast<std::int64_t>(count),
                   .buffers = &exported->no_validity,
                   .children = pointers.data(),
                   .dictionary = nullptr,
                   .release = release_root,
                   .private_data = &exported->of_root};
}

}  // namespace penstock::tuple
