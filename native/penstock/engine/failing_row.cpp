#include "penstock/engine/failing_row.hpp"

#include <cstdint>
#include <utility>

#include "penstock/engine/flow_line.hpp"

namespace penstock::engine {

void locate_failure(const graph::Topology& topology, const tuple::Tuple& tuple,
                    OperatorFailure& failure, std::vector<tuple::Batch>& made) {
  FlowLine line(topology);
  FlowRun run;
  const auto try_rows = [&](std::int64_t first, std::int64_t count) {
    line.fill(run, {.batch = tuple.batch.slice(first, count),
                    .origin = {.first = tuple.origin.first + first, .count = count}});
    line.work_through(run);
    return !run.failure;
  };
  std::int64_t works = 0;                   // this many rows are known to work together
  std::int64_t fails = tuple.batch.rows();  // and this many to fail
  std::vector<tuple::Batch> before;
  while (fails - works > 1) {
    const std::int64_t middle = works + (fails - works) / 2;
    if (try_rows(0, middle)) {
      works = middle;
      before = std::move(run.out);
    } else if (run.failure->interrupted) {
      failure = *run.failure;
      made.clear();
      return;
    } else {
      fails = middle;
    }
  }
  // The row alone must fail too: otherwise the failure was not this row's.
  if (try_rows(works, 1)) return;
  failure = *run.failure;
  made = std::move(before);
}

}  // namespace penstock::engine
