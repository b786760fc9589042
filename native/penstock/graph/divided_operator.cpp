#include "penstock/graph/divided_operator.hpp"

#include <utility>

namespace penstock::graph {

void DividedOperator::process(const tuple::Tuple& tuple, int /*port*/, Output& output) {
  process_whole(tuple, {.width = parts()}, output);
}

void DividedOperator::process_whole(const tuple::Tuple& tuple, const Division& division,
                                    Output& output) {
  own_ = cut(tuple, division, std::move(own_));
  FirstFailure failure;
  for (int part = 0; part < parts(); ++part) {
    try {
      process_part(part, tuple, *own_);
    } catch (const FailedAtRow& failed) {
      failure.add(failed);
    }
  }
  join(tuple, failure.rows_before(tuple.batch.rows()), *own_, output);
  failure.raise();
}

}  // namespace penstock::graph
