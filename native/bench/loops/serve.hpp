#pragma once

#include <iosfwd>

namespace penstock::bench::loops {

// Answers requests about driver loops, line by line.
//
//   kind=barrier contender=loop|event|library wake=tuples|rows tuples=100000 rows=16 uneven=0
//     Tuples for two ports in turn, straight into the operator. `wake` is when a loop goes on; what
//     goes by events does so with each tuple. `uneven` makes those of the right port so many rows
//     longer, so that nothing fits. Says tuples_per_s, pairs, and a checksum of what came out by
//     batches: with wake=rows there are others.
//   kind=many operators=1000 threads=1
//     A flow of so many loops in a row, dynamic for more than one thread. Says start_ms from
//     building it to its first result, and bytes for each operator that were allocated, coroutine
//     frame, ports and place in the flow together.
void serve(std::istream& in, std::ostream& out);

}  // namespace penstock::bench::loops
