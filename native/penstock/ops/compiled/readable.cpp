#include "penstock/ops/compiled/readable.hpp"

#include <algorithm>
#include <cstddef>

namespace penstock::ops {

namespace {

bool is_follower(char byte) noexcept { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

// Bytes of a character that begins like this, or 0 if none does.
std::size_t size_of(unsigned char first) noexcept {
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4) return 0;
  if (first < 0xE0) return 2;
  return first < 0xF0 ? 3 : 4;
}

// Bytes of the character at the beginning, or 0 if there is none.
std::size_t character(std::string_view text) noexcept {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t size = size_of(first);
  if (size < 2 || text.size() < size) return size == 1 ? 1 : 0;
  if (!std::ranges::all_of(text.substr(1, size - 1), is_follower)) return 0;
  const auto second = static_cast<unsigned char>(text[1]);
  // Longer than it must be, a half of a pair, or beyond the last character.
  const bool wrong = (first == 0xE0 && second < 0xA0) || (first == 0xED && second >= 0xA0) ||
                     (first == 0xF0 && second < 0x90) || (first == 0xF4 && second >= 0x90);
  return wrong ? 0 : size;
}

}  // namespace

std::string readable(std::string_view text) {
  std::string made;
  while (!text.empty()) {
    const std::size_t size = character(text);
    made += size == 0 ? std::string_view("?") : text.substr(0, size);
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return made;
}

}  // namespace penstock::ops
