#pragma once

#include <cstdint>
#include <vector>

#include "penstock/graph/operator.hpp"
#include "penstock/tuple/field.hpp"
#include "penstock/tuple/gather.hpp"
#include "penstock/tuple/schema.hpp"

namespace penstock::ops {

// Makes a row of each item of a list: the other columns as they are, and the item in the place of
// the list. Stateless, and threads may share it.
class Explode final : public graph::Operator {
 public:
  struct Options {
    int column = 0;         // of the list
    bool outer = false;     // a list without items, or none at all, makes a row with null
    bool position = false;  // behind all columns, where in its list the item was, from 0 on
  };

  // Throws std::invalid_argument, naming the column, for what is no list or has no movable rows.
  Explode(const tuple::Schema& input, Options options);

  void process(const tuple::Tuple& tuple, int port, graph::Output& output) override;
  [[nodiscard]] bool row_by_row() const noexcept override { return true; }

 private:
  struct Exploded;

  void list_items(const tuple::ColumnSlice& lists, Exploded& made) const;
  [[nodiscard]] ArrowArray items(const tuple::Batch& batch, const Exploded& made) const;

  Options options_;
  tuple::Field list_;
  std::vector<int> others_;  // columns
  tuple::Gatherer other_rows_;
  tuple::Gatherer item_rows_;
  tuple::Batch null_item_;
};

}  // namespace penstock::ops
