#include "penstock/ops/compiled/compiled_rows.hpp"

#include <cstddef>
#include <optional>

#include "penstock/graph/row_failure.hpp"

namespace penstock::ops {

namespace {

// Room that a thread uses for one call after another, of any function.
MadeRows& room_of_thread() {
  constexpr std::size_t kMostKept = 16U << 20U;
  thread_local std::optional<MadeRows> room;
  if (!room || room->bytes() > kMostKept) room.emplace();
  return *room;
}

}  // namespace

void CompiledRows::process(const tuple::Tuple& tuple, int /*port*/, graph::Output& output) {
  const tuple::Batch& batch = tuple.batch;
  if (batch.rows() == 0) return;
  MadeRows& made = room_of_thread();
  graph::FirstFailure failure;
  try {
    function_.call(function_.show(batch), batch.rows(), std::nullopt, {}, made);
  } catch (const graph::FailedAtRow& failed) {
    failure.add(failed);
  }
  function_.emit(batch, made, failure.rows_before(batch.rows()), output);
  failure.raise();
}

}  // namespace penstock::ops
