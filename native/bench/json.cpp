#include "bench/json.hpp"

#include <array>
#include <charconv>

namespace penstock::bench {

std::string json_text(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string quoted = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20) {
      quoted += "\\u00";
      quoted += kDigits[code >> 4U];
      quoted += kDigits[code & 15U];
    } else {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += c;
    }
  }
  return quoted + '"';
}

JsonObject& JsonObject::add_raw(std::string_view key, std::string_view value) {
  if (!members_.empty()) members_ += ", ";
  members_ += json_text(key);
  members_ += ": ";
  members_ += value;
  return *this;
}

JsonObject& JsonObject::add(std::string_view key, double value) {
  std::array<char, 32> text{};
  const auto* const end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return add_raw(key, {text.data(), end});
}

JsonObject& JsonObject::add(std::string_view key, std::uint64_t value) {
  return add_raw(key, std::to_string(value));
}

JsonObject& JsonObject::add(std::string_view key, std::string_view value) {
  return add_raw(key, json_text(value));
}

}  // namespace penstock::bench
