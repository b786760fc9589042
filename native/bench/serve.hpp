#pragma once

#include <iosfwd>
#include <span>
#include <string>

#include "bench/contender.hpp"
#include "bench/request.hpp"

namespace penstock::bench {

// Answers a request that is not about contenders; the result is a JSON object.
using OtherKinds = std::string (*)(const std::string& kind, Request& request);

// Answers requests about the contenders of the scheduler benchmark, line by line.
//
//   kind=list
//   kind=measure contender=conveyor depth=100 width=1 cost=1 tuples=1000000 threads=2 run=256
//                interface=tuple|batch rate=0 window=0 capacity=0
void serve(std::istream& in, std::ostream& out, std::span<const ContenderEntry> contenders,
           OtherKinds other_kinds = nullptr);

}  // namespace penstock::bench
