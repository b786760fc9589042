#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace penstock::bench::queries {

inline constexpr std::int64_t kNull = -1;

// What moves: a click, a sale, or what an operator made of some. A mark has no columns but its
// time; it keeps its place among the rows and passes every operator (P15).
struct Row {
  std::uint64_t serial = 0;  // given anew by every stage
  std::int64_t at = 0;       // the number of the input row that made it, or of a mark's next one
  std::int64_t time = 0;     // seconds; days begin at multiples of 86,400
  std::int64_t who = 0;      // a user, a ticket, or what a result is about
  std::int64_t item = 0;     // may be null in a click; the first of a pair
  std::int64_t other = 0;    // a click's sale, null if none; a sale's store; second of a pair
  std::int64_t amount = 0;   // a click's page, a sale's cents, or a count
  std::int64_t entered = 0;  // of a mark: when the first operator began, in steady nanoseconds
  bool mark = false;
  std::vector<std::int64_t> list;  // a session's items or pages
};

// All that an operator made of one row.
class Unit {
 public:
  void add(Row&& row) {
    if (count_++ == 0) {
      first_ = std::move(row);  // most have one at most, and that allocates nothing
    } else {
      rest_.push_back(std::move(row));
    }
  }
  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }

  template <typename Take>
  void hand_out(const Take& take) {
    if (count_ == 0) return;
    take(first_);
    for (Row& row : rest_) take(row);
  }

 private:
  std::uint32_t count_ = 0;
  Row first_;
  std::vector<Row> rest_;
};

// A row of a query's result.
struct Output {
  std::int64_t at = 0;
  std::int64_t who = 0;
  std::int64_t item = 0;
  std::int64_t other = 0;
  std::int64_t amount = 0;

  bool operator==(const Output&) const = default;
};

}  // namespace penstock::bench::queries
