#pragma once

#include <iosfwd>

namespace penstock::bench::loops {

// Answers requests about driver loops, line by line.
//
//   kind=barrier contender=loop|event tuples=100000 rows=16 uneven=0
//     Tuples for two ports in turn, straight into the operator. `uneven` makes those of the right
//     port so many rows longer, so that nothing fits. Says rows_per_s, pairs, and their checksum.
//   kind=many operators=1000 threads=1
//     A flow of so many loops in a row, dynamic for more than one thread. Says start_ms from
//     building it to its first result, and bytes for each operator that were allocated, coroutine
//     frame, ports and place in the flow together.
void serve(std::istream& in, std::ostream& out);

}  // namespace penstock::bench::loops
