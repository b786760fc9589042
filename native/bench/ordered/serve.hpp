#pragma once

#include <iosfwd>

namespace penstock::bench::ordered {

// Answers requests about one ordered stage, queries of several, and state that changes channels,
// line by line.
//
//   kind=list
//   kind=measure contender=hybrid workers=2 tuples=100000 us=10 selectivity=1
//                keys=zipf distinct=1000 exponent=1.2 partitions=100
//                keys=gaussian mean=0.5 sigma=0.2
//                cost=FLOP (instead of us) send_cost=FLOP warm=0 window=1024 capacity=1024 burst=64
//                timed=yes|no
//   kind=migrate keys=1000000 channels=1 to=2
//   kind=query query=q2 contender=hybrid rows=100000 workers=2 window=1024 capacity=1024 us=0
void serve(std::istream& in, std::ostream& out);

}  // namespace penstock::bench::ordered
