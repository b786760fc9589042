#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "penstock/graph/operator.hpp"
#include "penstock/ops/compiled/frame_columns.hpp"
#include "penstock/ops/compiled/made_rows.hpp"
#include "penstock/tuple/batch.hpp"
#include "penstock/tuple/field.hpp"
#include "penstock/tuple/gather.hpp"
#include "penstock/tuple/schema.hpp"

#include "penstock_operator.h"

namespace penstock::ops {

// A function that was compiled elsewhere, against penstock_operator.h. Immutable: threads may share
// one.
class CompiledFunction {
 public:
  struct Options {
    penstock_process process = nullptr;
    std::shared_ptr<const void> owner;  // whatever the code of the function lives in
    // Columns of the input that it reads, in its order; all of them if there are none.
    std::optional<std::vector<int>> columns;
  };
  // What is remembered of keys, and the key of each row to work on.
  struct States {
    void* records = nullptr;
    std::int64_t record_bytes = 0;
    std::span<const std::uint32_t> keys;
  };

  // Without an output schema it makes no columns, but says which rows of the input to pass on.
  // Throws std::invalid_argument, naming the column, for types that it cannot have.
  CompiledFunction(const tuple::Schema& input, const std::optional<tuple::Schema>& output,
                   Options options);

  // What a call sees of a batch, for as long as the batch lasts.
  [[nodiscard]] std::vector<penstock_column> show(const tuple::Batch& batch) const {
    return columns_.of(batch);
  }
  // Works on these rows of a batch of so many, ascending; without a list on all of them. Throws
  // graph::FailedAtRow, and what was made of the rows before is there; or std::logic_error, if the
  // function does not keep to the interface.
  void call(std::span<const penstock_column> shown, std::int64_t all_rows,
            std::optional<std::span<const std::int32_t>> rows, const States& states,
            MadeRows& made) const;

  [[nodiscard]] bool passes_on() const noexcept { return !output_; }
  // Emits what was made of rows before `end`.
  void emit(const tuple::Batch& batch, const MadeRows& made, std::int64_t end,
            graph::Output& output) const;
  // Emits these rows of the batch; only if passes_on().
  void pass_on(const tuple::Batch& batch, std::span<const std::int32_t> rows,
               graph::Output& output) const;
  // Puts rows together that several calls made; only if not passes_on().
  [[nodiscard]] tuple::Batch gather(std::span<const tuple::Batch> made,
                                    std::span<const tuple::RowRef> rows) const {
    return gatherer_.gather(made, rows);
  }

 private:
  FrameColumns columns_;
  std::optional<std::vector<tuple::Field>> output_;
  tuple::Gatherer gatherer_;             // of the output
  std::vector<std::size_t> never_null_;  // columns made
  penstock_process process_;
  std::shared_ptr<const void> owner_;
};

}  // namespace penstock::ops
