#pragma once

#include <concepts>
#include <cstdint>

namespace penstock::schedule {

// What goes through a line of stations: a serial number and how far it has come. It belongs to
// one thread at a time, and handing it over hands over everything in it.
struct Run {
  std::uint64_t serial = 0;
  int station = 0;
  bool has_turn = false;   // it waited at `station`, and its turn has come
  bool by_feeder = false;  // who carries it is the feeder
  int paused_at = -1;      // where it paused among stations that are taken together
};

// A graph as a scheduler sees it: stations in topological order. A run visits each of them, so a
// run is the unit of order, and what its stations do to it is the flow's business.
//
// `serial(station)` says whether runs must pass it one at a time and in order; work() keeps every
// exception to itself, in the run.
template <typename Line>
concept RunnableLine =
    std::derived_from<typename Line::Run, Run> && std::default_initializable<typename Line::Run> &&
    requires(Line line, typename Line::Run run, int station) {
      { line.stations() } -> std::same_as<int>;
      { line.serial(station) } -> std::same_as<bool>;
      { line.work(station, run) } noexcept;
    };

// A line may come back from a station before it is done with a run, because that takes long (C12):
// then work_some() says false, and is to be called again, by anybody who holds the station, before
// another run comes to it. work() goes on until it is done.
template <RunnableLine Line>
[[nodiscard]] bool work_some(Line& line, int station, typename Line::Run& run) noexcept {
  if constexpr (requires { line.work_some(station, run); }) {
    return line.work_some(station, run);
  } else {
    line.work(station, run);
    return true;
  }
}

// A line may have a lane: stations of which one at a time is worked at, whichever it is, because
// they would only be in each other's way. It is not a matter of order. Where the feeder carries, it
// alone goes into the lane.
template <RunnableLine Line>
[[nodiscard]] bool in_lane(const Line& line, int station) noexcept {
  if constexpr (requires { line.in_lane(station); }) return line.in_lane(station);
  return false;
}

}  // namespace penstock::schedule
