#include "penstock/graph/keyed_operator.hpp"

namespace penstock::graph {

void KeyedOperator::process(const tuple::Tuple& tuple, int /*port*/, Output& output) {
  own_ = cut(tuple, std::move(own_));
  FirstFailure failure;
  for (int part = 0; part < parts(); ++part) {
    try {
      process_part(part, tuple, *own_);
    } catch (const FailedAtRow& failed) {
      failure.add(failed);
    }
  }
  const std::int64_t good = failure.rows_before(tuple.batch.rows());
  join(tuple, good, *own_, output);
  if (failure) throw FailedAtRow(good, failure.cause());
}

}  // namespace penstock::graph
