#include "penstock/engine/failing_row.hpp"

#include <cstdint>
#include <utility>

namespace penstock::engine {

namespace {

tuple::Tuple part(const tuple::Tuple& tuple, std::int64_t first, std::int64_t count) {
  return {.batch = tuple.batch.slice(first, count),
          .origin = {.first = tuple.origin.first + first, .count = count}};
}

}  // namespace

std::optional<FailingRow> find_failing_row(ManualModel& model, const tuple::Tuple& tuple) {
  std::int64_t works = 0;                   // this many rows are known to work together
  std::int64_t fails = tuple.batch.rows();  // and this many to fail
  std::vector<tuple::Batch> before;
  while (fails - works > 1) {
    const std::int64_t middle = works + (fails - works) / 2;
    std::vector<tuple::Batch> outbox;
    if (const auto failure = model.run(part(tuple, 0, middle), outbox)) {
      if (failure->interrupted) return FailingRow{.failure = *failure, .before = {}};
      fails = middle;
    } else {
      works = middle;
      before = std::move(outbox);
    }
  }
  // The row alone must fail too: otherwise the failure was not this row's.
  std::vector<tuple::Batch> discarded;
  if (auto failure = model.run(part(tuple, works, 1), discarded)) {
    return FailingRow{.failure = std::move(*failure), .before = std::move(before)};
  }
  return std::nullopt;
}

}  // namespace penstock::engine
