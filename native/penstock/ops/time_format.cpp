#include "penstock/ops/time_format.hpp"

#include <array>
#include <chrono>
#include <stdexcept>
#include <utility>

namespace penstock::ops {

namespace {

struct Parts {
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;
  std::int64_t micros = 0;
  int minutes_east = 0;
};

bool is_digit(char each) noexcept { return each >= '0' && each <= '9'; }

// Takes a number of so many digits at most off the front; none may be left behind it.
std::optional<int> take_number(std::string_view& text, std::size_t least, std::size_t most,
                               bool digits_follow = false) noexcept {
  std::size_t size = 0;
  int number = 0;
  for (; size < most && size < text.size() && is_digit(text[size]); ++size) {
    number = (number * 10) + (text[size] - '0');
  }
  if (size < least) return std::nullopt;
  const bool more = size < text.size() && is_digit(text[size]);
  // Two digits are enough where two are the most: the next directive may begin with one.
  if (more && !digits_follow) return std::nullopt;
  text.remove_prefix(size);
  return number;
}

template <typename Number>
bool take_into(std::string_view& text, Number& out, std::size_t least, std::size_t most) noexcept {
  const auto number = take_number(text, least, most, true);
  if (number) out = static_cast<Number>(*number);
  return number.has_value();
}

bool take_fraction(std::string_view& text, std::int64_t& micros) noexcept {
  const std::size_t before = text.size();
  const auto number = take_number(text, 1, 6);
  if (!number) return false;
  micros = *number;
  for (std::size_t digits = before - text.size(); digits < 6; ++digits) micros *= 10;
  return true;
}

bool take_month(std::string_view& text, unsigned& month) noexcept {
  constexpr std::array<std::string_view, 12> kNames{"jan", "feb", "mar", "apr", "may", "jun",
                                                    "jul", "aug", "sep", "oct", "nov", "dec"};
  if (text.size() < 3) return false;
  for (unsigned number = 0; number < kNames.size(); ++number) {
    bool same = true;
    for (std::size_t at = 0; at < 3; ++at) {
      // ASCII letters differ from their capitals in this one bit, whatever the locale.
      same = same && (static_cast<unsigned char>(text[at]) | 0x20U) ==
                         static_cast<unsigned char>(kNames[number][at]);
    }
    if (!same) continue;
    month = number + 1;
    text.remove_prefix(3);
    return true;
  }
  return false;
}

bool take_zone(std::string_view& text, int& minutes_east) noexcept {
  if (text.empty()) return false;
  const char sign = text[0];
  text.remove_prefix(1);
  if (sign == 'Z') return true;
  if (sign != '+' && sign != '-') return false;
  const auto hours = take_number(text, 2, 2, true);
  if (text.starts_with(':')) text.remove_prefix(1);
  const auto minutes = take_number(text, 2, 2, true);
  if (!hours || !minutes || *hours > 23 || *minutes > 59) return false;
  minutes_east = ((*hours * 60) + *minutes) * (sign == '-' ? -1 : 1);
  return true;
}

bool take_directive(char directive, std::string_view& text, Parts& parts) noexcept {
  switch (directive) {
    case 'Y':
      return take_into(text, parts.year, 4, 4);
    case 'm':
      return take_into(text, parts.month, 1, 2);
    case 'd':
      return take_into(text, parts.day, 1, 2);
    case 'H':
      return take_into(text, parts.hour, 1, 2);
    case 'M':
      return take_into(text, parts.minute, 1, 2);
    case 'S':
      return take_into(text, parts.second, 1, 2);
    case 'b':
      return take_month(text, parts.month);
    case 'f':
      return take_fraction(text, parts.micros);
    case 'z':
      return take_zone(text, parts.minutes_east);
    default:
      if (!text.starts_with('%')) return false;
      text.remove_prefix(1);
      return true;
  }
}

std::optional<std::int64_t> micros_of(const Parts& parts) noexcept {
  const std::chrono::year_month_day date{
      std::chrono::year(parts.year), std::chrono::month(parts.month), std::chrono::day(parts.day)};
  if (!date.ok() || parts.year < 1 || parts.hour > 23 || parts.minute > 59 || parts.second > 59) {
    return std::nullopt;
  }
  const auto days = std::chrono::sys_days(date).time_since_epoch();
  const auto time = days + std::chrono::hours(parts.hour) +
                    std::chrono::minutes(parts.minute - parts.minutes_east) +
                    std::chrono::seconds(parts.second) + std::chrono::microseconds(parts.micros);
  return std::chrono::duration_cast<std::chrono::microseconds>(time).count();
}

}  // namespace

TimeFormat::TimeFormat(std::string format) : format_(std::move(format)) {
  constexpr std::string_view kKnown = "YmdHMSbfz%";
  std::string found;
  for (std::size_t at = 0; at < format_.size(); ++at) {
    if (format_[at] != '%') continue;
    ++at;
    if (at == format_.size() || kKnown.find(format_[at]) == std::string_view::npos) {
      throw std::invalid_argument("'" + format_ +
                                  "' is no format of times; its directives are %Y %m %b %d %H %M "
                                  "%S %f %z and %%");
    }
    found.push_back(format_[at]);
  }
  const auto has = [&found](char directive) { return found.find(directive) != std::string::npos; };
  if (has('Y') && (has('m') || has('b')) && has('d')) return;
  throw std::invalid_argument("'" + format_ +
                              "' does not tell a day: it needs %Y, %m or %b, and %d");
}

std::optional<std::int64_t> TimeFormat::parse(std::string_view text) const noexcept {
  Parts parts;
  for (std::size_t at = 0; at < format_.size(); ++at) {
    const char each = format_[at];
    if (each == '%') {
      if (!take_directive(format_[++at], text, parts)) return std::nullopt;
      continue;
    }
    if (!text.starts_with(each)) return std::nullopt;
    text.remove_prefix(1);
    while (each == ' ' && text.starts_with(' ')) text.remove_prefix(1);
  }
  if (!text.empty()) return std::nullopt;
  return micros_of(parts);
}

}  // namespace penstock::ops
