#pragma once

#include <string_view>

namespace penstock::elastic {

// What a control loop can turn of a running PE. One at a time: with two turned at once nobody could
// say which of them changed the throughput (X4).
enum class Lever { kThreads, kStops, kChannels };

// The word for a lever in metrics and in Python.
[[nodiscard]] constexpr std::string_view name(Lever lever) {
  switch (lever) {
    case Lever::kThreads:
      return "threads";
    case Lever::kStops:
      return "stops";
    case Lever::kChannels:
      return "channels";
  }
  return "unknown";
}

}  // namespace penstock::elastic
