#include <cmath>
#include <cstdint>

#include "penstock_operator.h"

namespace {

constexpr double kThreshold = 10.0;

struct Sensor {
  double stored;
  std::int64_t known;  // 0 before the first value
};

bool is_null(const penstock_column& column, std::int64_t row) noexcept {
  if (column.validity == nullptr) return false;
  const auto bit = static_cast<std::uint64_t>(column.bit + row);
  const unsigned byte = column.validity[bit >> 3U];
  return ((byte >> (bit & 7U)) & 1U) == 0;
}

// Gedik et al., Listing 2, as A25 reads it: a sensor's first value is passed on, and then every one
// that is further than a threshold from the last one passed on. Never more rows than were given, so
// there is room for all of them.
std::int32_t process(penstock_frame* frame) {
  const penstock_column& column = frame->columns[1];
  const auto* const values = static_cast<const double*>(column.values);
  auto* const sensors = static_cast<Sensor*>(frame->states);
  std::int64_t made = 0;
  for (std::int64_t i = 0; i < frame->rows; ++i) {
    const std::int32_t row = frame->row == nullptr ? static_cast<std::int32_t>(i) : frame->row[i];
    if (is_null(column, row)) continue;
    const double value = values[row];
    Sensor& sensor = sensors[frame->keys[i]];
    if (sensor.known != 0 && !(std::abs(value - sensor.stored) > kThreshold)) continue;
    sensor = {.stored = value, .known = 1};
    frame->from[made++] = row;
  }
  frame->made = made;
  return 0;
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): flows name it
PENSTOCK_EXPORT(threshold) = {
    .abi = PENSTOCK_OPERATOR_ABI,
    .state_bytes = sizeof(Sensor),
    .input = "id bigint, value double",
    .output = nullptr,  // it passes rows on
    .process = process,
};
