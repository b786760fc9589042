#pragma once

#include <vector>

namespace penstock::elastic {

// What is known of one station when the places of queues are chosen.
struct StationFacts {
  double cost = 0;     // time it takes for a run, in any unit
  bool serial = true;  // one run at a time
  bool bound = false;  // it must share a stop with the station before it
  bool lane = false;   // it is in the lane
};

// The first station of each stop, for about `stops` stops between which the cost is even.
//
// Only serial stations need balance: a thread that finds a run ahead of it there must turn to
// another one. Neighbouring stations that any number of threads may be at become one stop, which
// costs nothing to enter and is not counted. Unknown costs, all 0, are taken to be equal. No stop
// takes a station into the lane that need not be there.
[[nodiscard]] std::vector<int> place_stops(const std::vector<StationFacts>& stations, int stops);

}  // namespace penstock::elastic
