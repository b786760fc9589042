#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "penstock/tuple/batch.hpp"
#include "penstock/tuple/column_values.hpp"
#include "penstock/tuple/row_codec.hpp"
#include "penstock/tuple/schema.hpp"

namespace penstock::ops {

enum class Side : std::int8_t { kLeft = 0, kRight = 1 };

// Where in the rows of a tagged stream of two branches what is: the branch in the first column,
// then key and time, whichever branch they came from, then the columns of both. Those of the right
// branch that are made come behind all of the left one.
struct TwoSides {
  static constexpr int kNoTime = -1;

  std::vector<int> keys;
  std::vector<int> left;
  std::vector<int> right;
  int time = kNoTime;
};

// Reads the rows of one batch of such a stream.
class TwoSidesReader {
 public:
  TwoSidesReader(const TwoSides& sides, const tuple::RowCodec& codec, const tuple::Batch& batch)
      : sides_(&sides), codec_(&codec), batch_(&batch), encoder_(codec, batch) {}

  [[nodiscard]] Side side(std::int64_t row) const noexcept {
    return static_cast<Side>(tuple::whole_at(codec_->fields()[0], batch_->column(0), row));
  }
  // Null equals nothing, so a row with null in its key or its time is met by no other.
  [[nodiscard]] bool meets_none(std::int64_t row) const {
    for (const int key : sides_->keys) {
      if (encoder_.is_null(row, key)) return true;
    }
    return sides_->time != TwoSides::kNoTime && encoder_.is_null(row, sides_->time);
  }
  // 0 where there is none.
  [[nodiscard]] std::int64_t time(std::int64_t row) const noexcept {
    const int time = sides_->time;
    if (time == TwoSides::kNoTime) return 0;
    return tuple::whole_at(codec_->fields()[static_cast<std::size_t>(time)], batch_->column(time),
                           row);
  }
  // What of it is made, as bytes.
  [[nodiscard]] std::string encoded(std::int64_t row) const {
    std::string bytes;
    for (const int column : side(row) == Side::kLeft ? sides_->left : sides_->right) {
      encoder_.encode(row, column, bytes);
    }
    return bytes;
  }

 private:
  const TwoSides* sides_;
  const tuple::RowCodec* codec_;
  const tuple::Batch* batch_;
  tuple::RowEncoder encoder_;
};

// The right columns of a left row that has met none.
[[nodiscard]] inline std::string nothing_right(const TwoSides& sides) {
  std::string bytes;
  for (std::size_t i = 0; i < sides.right.size(); ++i) tuple::encode_null(bytes);
  return bytes;
}

// Times may be anything that 64 bits hold; what would lie beyond is as far as that goes.
[[nodiscard]] constexpr std::int64_t earlier(std::int64_t time, std::int64_t by) noexcept {
  constexpr auto kFirst = std::numeric_limits<std::int64_t>::min();
  return time < kFirst + by ? kFirst : time - by;
}
[[nodiscard]] constexpr std::int64_t later(std::int64_t time, std::int64_t by) noexcept {
  constexpr auto kLast = std::numeric_limits<std::int64_t>::max();
  return time > kLast - by ? kLast : time + by;
}

}  // namespace penstock::ops
