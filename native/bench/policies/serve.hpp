#pragma once

#include <iosfwd>

namespace penstock::bench::policies {

// Answers requests about scheduling policies, line by line.
//
//   kind=list
//   kind=simulate policy=random topology=chain operators=12 us=100 end_us=10 selectivity=1
//   workers=4
//                 topology=tree depth=6
//                 topology=q1 load=1.5 (of what the workers can do at best) or backlog=1000
//                 slice_us=50000 switch_us=1 room=100 window_us=10000 seconds=10 seed=1
//                 capacity=1024
//   kind=run policy=random topology=chain ... threads=2 tuples=1000 room=16 window=64 seed=1
void serve(std::istream& in, std::ostream& out);

}  // namespace penstock::bench::policies
