// Operators of a user, for test_native_library.py: compiled there against the header alone.
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "penstock_operator.h"

namespace {

std::int32_t place(const penstock_frame* frame, std::int64_t i) {
  return frame->row == nullptr ? static_cast<std::int32_t>(i) : frame->row[i];
}

bool is_valid(const penstock_column& column, std::int32_t row) {
  const std::int64_t bit = column.bit + row;
  return column.validity == nullptr || ((column.validity[bit / 8] >> (bit % 8)) & 1) != 0;
}

// What a row is made of; its place, or -1.
std::int64_t add(penstock_frame* frame, std::int32_t from) {
  if (frame->made == frame->capacity && frame->grow(frame, 1) != 0) return -1;
  frame->from[frame->made] = from;
  return frame->made++;
}

// Passes positive numbers on, and fails at 13.
std::int32_t keep_positive(penstock_frame* frame) {
  const auto* const n = static_cast<const std::int64_t*>(frame->columns[0].values);
  for (std::int64_t i = 0; i < frame->rows; ++i) {
    const auto row = place(frame, i);
    if (!is_valid(frame->columns[0], row)) continue;
    if (n[row] == 13) {
      frame->failed = i;
      std::snprintf(frame->message, PENSTOCK_MESSAGE_BYTES, "13 is unlucky");
      return 1;
    }
    if (n[row] > 0) add(frame, row);
  }
  return 0;
}

// Makes each word as often as it was seen with its key: "word#1", "word#2"; null stays null.
struct Seen {
  std::int64_t rows;
#ifdef REMEMBER_MORE
  std::int64_t more;
#endif
};

std::int32_t number_words(penstock_frame* frame) {
  const penstock_column& words = frame->columns[0];
  auto* const seen = static_cast<Seen*>(frame->states);
  for (std::int64_t i = 0; i < frame->rows; ++i) {
    const auto row = place(frame, i);
    const std::int64_t times = ++seen[frame->keys[i]].rows % 4;
    for (std::int64_t k = 1; k <= times; ++k) {
      const auto made = add(frame, row);
      frame->failed = i;
      if (made < 0) return 1;
      char number[24];
      const std::int64_t digits = std::snprintf(number, sizeof(number), "#%d", static_cast<int>(k));
      const std::int64_t size = words.offsets[row + 1] - words.offsets[row];
      if (frame->out[0].bytes + size + digits > frame->out[0].byte_capacity &&
          frame->grow_bytes(frame, 0, size + digits) != 0) {
        return 1;
      }
      penstock_output& out = frame->out[0];
      out.valid[made] = is_valid(words, row) ? 1 : 0;
      if (out.valid[made] != 0) {
        auto* const to = static_cast<char*>(out.values) + out.bytes;
        std::memcpy(to, static_cast<const char*>(words.values) + words.offsets[row],
                    static_cast<std::size_t>(size));
        std::memcpy(to + size, number, static_cast<std::size_t>(digits));
        out.bytes += size + digits;
      }
      out.ends[made] = static_cast<std::int32_t>(out.bytes);
      static_cast<std::uint8_t*>(frame->out[1].values)[made] = k == 1 ? 1 : 0;
      frame->out[1].valid[made] = 1;
    }
  }
  return 0;
}

// Says that it made a row that it was not given.
std::int32_t lie(penstock_frame* frame) {
  frame->from[0] = 1 << 20;
  frame->made = 1;
  return 0;
}

}  // namespace

constexpr std::int64_t kAbi = PENSTOCK_OPERATOR_ABI;

PENSTOCK_EXPORT(positive) = {kAbi, 0, "n bigint", nullptr, keep_positive};
PENSTOCK_EXPORT(words) = {kAbi, sizeof(Seen), "word string", "named string, first boolean",
                          number_words};
PENSTOCK_EXPORT(liar) = {kAbi, 0, "n bigint", nullptr, lie};
PENSTOCK_EXPORT(never_null) = {kAbi, 0, "n bigint NOT NULL", nullptr, keep_positive};
PENSTOCK_EXPORT(newer) = {kAbi + 1, 0, "n bigint", nullptr, keep_positive};
PENSTOCK_EXPORT(without_function) = {kAbi, 0, "n bigint", nullptr, nullptr};
PENSTOCK_EXPORT(without_input) = {kAbi, 0, nullptr, nullptr, keep_positive};
PENSTOCK_EXPORT(odd_input) = {kAbi, 0, "n bigintt", nullptr, keep_positive};
PENSTOCK_EXPORT(odd_output) = {kAbi, 0, "n bigint", "tags array<string>", keep_positive};
PENSTOCK_EXPORT(negative_state) = {kAbi, -1, "n bigint", nullptr, keep_positive};

extern "C" __attribute__((visibility("default"))) int no_operator(int given) { return given + 1; }
