#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace penstock::ops {

// Times as logs write them, by a format of strftime's directives: %Y (four digits), %m, %d, %H, %M,
// %S (two digits, or one that no other follows), %b (Jan), %f (up to six digits of a second), %z
// (Z, +hh:mm or +hhmm) and %%. A space stands for one or more. Without a zone it is UTC.
class TimeFormat {
 public:
  // Throws std::invalid_argument for other directives, and where year, month and day are not told.
  explicit TimeFormat(std::string format);

  // Microseconds since 1970, if all of the text is such a time.
  [[nodiscard]] std::optional<std::int64_t> parse(std::string_view text) const noexcept;

 private:
  std::string format_;
};

}  // namespace penstock::ops
