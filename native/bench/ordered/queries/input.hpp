#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/ordered/queries/row.hpp"

namespace penstock::bench::queries {

inline constexpr std::int64_t kHour = 3'600;
inline constexpr std::int64_t kDay = 86'400;
inline constexpr std::int64_t kFirstDay = 37'000;

enum class Page { kOther, kDynamic, kOrder };

// The rows of a stream, ordered by time, and the tables they are joined with.
struct Input {
  std::vector<Row> rows;
  std::vector<std::int64_t> categories;  // of the items
  std::vector<Page> pages;

  [[nodiscard]] std::int64_t end() const noexcept { return static_cast<std::int64_t>(rows.size()); }
  [[nodiscard]] std::int64_t category_of(std::int64_t item) const {
    return categories.at(static_cast<std::size_t>(item));
  }
  [[nodiscard]] Page page_of(std::int64_t page) const {
    return pages.at(static_cast<std::size_t>(page));
  }
};

// So many rows, the same on every machine: clicks of users in sessions, some users and items
// missing, few of them sales; and tickets of one to eight sales in five stores over 37 days.
[[nodiscard]] Input make_clicks(std::size_t rows);
[[nodiscard]] Input make_sales(std::size_t rows);

}  // namespace penstock::bench::queries
