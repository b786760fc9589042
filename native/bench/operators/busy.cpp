#include <cstdint>

#include "penstock_operator.h"

namespace {

constexpr std::uint64_t kFactor = 6364136223846793005U;

std::int64_t worked(std::int64_t value, std::int64_t rounds) noexcept {
  auto number = static_cast<std::uint64_t>(value);
  for (std::int64_t i = 0; i < rounds; ++i) number = number * kFactor + 1;
  return static_cast<std::int64_t>(number);
}

// As many rows as came, so there may be too little room at first.
std::int32_t process(penstock_frame* frame) {
  if (frame->capacity < frame->rows && frame->grow(frame, frame->rows) != 0) return 1;
  const auto* const values = static_cast<const std::int64_t*>(frame->columns[0].values);
  const auto* const rounds = static_cast<const std::int64_t*>(frame->columns[1].values);
  for (std::int64_t i = 0; i < frame->rows; ++i) {
    const std::int32_t row = frame->row == nullptr ? static_cast<std::int32_t>(i) : frame->row[i];
    static_cast<std::int64_t*>(frame->out[0].values)[i] = worked(values[row], rounds[row]);
    static_cast<std::int64_t*>(frame->out[1].values)[i] = rounds[row];
    frame->out[0].valid[i] = 1;
    frame->out[1].valid[i] = 1;
    frame->from[i] = row;
  }
  frame->made = frame->rows;
  return 0;
}

}  // namespace

// What a loop without Penstock calls: the same work on the same columns.
extern "C" __attribute__((visibility("default"))) void penstock_bench_busy(
    const std::int64_t* values, const std::int64_t* rounds, std::int64_t rows, std::int64_t* made) {
  for (std::int64_t i = 0; i < rows; ++i) made[i] = worked(values[i], rounds[i]);
}

// NOLINTNEXTLINE(readability-identifier-naming): flows name it
PENSTOCK_EXPORT(busy) = {
    .abi = PENSTOCK_OPERATOR_ABI,
    .state_bytes = 0,
    .input = "n bigint NOT NULL, rounds bigint NOT NULL",
    .output = "n bigint NOT NULL, rounds bigint NOT NULL",
    .process = process,
};
