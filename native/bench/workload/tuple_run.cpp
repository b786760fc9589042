#include "bench/workload/tuple_run.hpp"

namespace penstock::bench {

void run_operator(Operator& op, Interface interface, Items items) noexcept {
  if (interface == Interface::kBatch) {
    op.process_batch(items);
    return;
  }
  Emit emit(items);
  for (Item& item : items) emit = op.process(item, emit);
}

}  // namespace penstock::bench
