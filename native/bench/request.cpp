#include "bench/request.hpp"

#include <charconv>
#include <cmath>
#include <sstream>

namespace penstock::bench {

namespace {

[[noreturn]] void refuse(const std::string& key, const std::string& value,
                         const std::string& allowed) {
  throw RequestError("'" + key + "' is '" + value + "', but must be " + allowed);
}

}  // namespace

Request::Request(std::string_view line) {
  std::istringstream words{std::string(line)};
  for (std::string word; words >> word;) {
    const auto equals = word.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw RequestError("'" + word + "' is not key=value");
    }
    const auto [place, is_new] = words_.emplace(word.substr(0, equals), word.substr(equals + 1));
    if (!is_new) throw RequestError("'" + place->first + "' is given twice");
  }
}

std::string Request::take(const std::string& key) {
  const auto found = words_.extract(key);
  if (!found) throw RequestError("'" + key + "' is missing");
  return found.mapped();
}

std::string Request::take(const std::string& key, const std::string& fallback) {
  const auto found = words_.extract(key);
  return found ? found.mapped() : fallback;
}

long Request::take_int(const std::string& key, long fallback, long least, long most) {
  const std::string text = take(key, std::to_string(fallback));
  long value = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (parsed.ec != std::errc() || parsed.ptr != end || value < least || value > most) {
    refuse(key, text,
           "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  }
  return value;
}

double Request::take_number(const std::string& key, double fallback) {
  const std::string text = take(key, std::to_string(fallback));
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (parsed.ec != std::errc() || parsed.ptr != end || !std::isfinite(value) || value < 0) {
    refuse(key, text, "a number from 0 on");
  }
  return value;
}

std::size_t Request::take_choice(const std::string& key,
                                 std::span<const std::string_view> allowed) {
  const std::string text = take(key, std::string(allowed.front()));
  std::string all;
  for (std::size_t i = 0; i < allowed.size(); ++i) {
    if (allowed[i] == text) return i;
    all += (i == 0 ? "" : ", ") + std::string(allowed[i]);
  }
  refuse(key, text, "one of " + all);
}

void Request::check_all_taken() const {
  if (!words_.empty()) throw RequestError("'" + words_.begin()->first + "' is not a known key");
}

}  // namespace penstock::bench
