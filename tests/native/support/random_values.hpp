#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "support/arrow_columns.hpp"

namespace penstock::support {

class RandomValues {
 public:
  explicit RandomValues(unsigned seed) : random_(seed) {}

  // Below `limit`, which is at least 1.
  std::int64_t below(std::int64_t limit) {
    return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(limit));
  }

  // Small numbers and short texts come up often, so that keys meet again.
  Value value(const Type& type) {
    if (type.format == "n" || below(6) == 0) return null_value();
    if (!type.dictionary.empty()) {
      const Value made = value(type.dictionary[0]);
      return made;
    }
    if (type.format == "b") return text(std::string(1, below(2) == 0 ? '\0' : '\1'));
    if (const auto width = width_of(type); width != 0) return fixed(width);
    if (type.format == "+s") return record(type);
    if (const auto each = items_of(type); each != 0) return items(type.children[0], each);
    if (type.format[0] == '+') return items(type.children[0], static_cast<std::size_t>(below(4)));
    return text(std::string(static_cast<std::size_t>(below(below(3) == 0 ? 40 : 3)),
                            static_cast<char>('a' + below(3))));
  }

  Values values(const Type& type, std::int64_t count) {
    Values made;
    for (std::int64_t row = 0; row < count; ++row) made.push_back(value(type));
    return made;
  }

 private:
  Value fixed(std::size_t width) {
    const bool small = below(2) == 0;
    std::string bytes(width, small && below(2) == 0 ? '\xFF' : '\0');
    for (std::size_t at = 0; at < (small ? 1 : width); ++at) {
      bytes[at] = static_cast<char>(below(small ? 4 : 256));
    }
    return text(bytes);
  }

  Value record(const Type& type) {
    Value made;
    for (const Type& child : type.children) made.items.push_back(value(child));
    return made;
  }

  Value items(const Type& type, std::size_t count) {
    return nested(values(type, static_cast<std::int64_t>(count)));
  }

  std::mt19937 random_;
};

inline std::vector<Type> flat_types() {
  std::vector<Type> types;
  for (const char* format :
       {"n",   "b",   "c",    "C",       "s",        "S",         "i",          "I",   "l",
        "L",   "e",   "f",    "g",       "z",        "u",         "Z",          "U",   "vz",
        "vu",  "w:3", "w:16", "d:38,10", "d:9,2,32", "d:18,2,64", "d:76,0,256", "tdD", "tdm",
        "tts", "ttn", "tiM",  "tiD",     "tin",      "tDu",       "tsu:UTC"}) {
    types.push_back({.format = format, .name = format});
  }
  for (const char* index : {"c", "S", "i", "L"}) {
    types.push_back({.format = index, .dictionary = {{.format = "u"}}, .name = "dictionary"});
  }
  types.push_back({.format = "i", .dictionary = {{.format = "l"}}, .name = "numbers"});
  return types;
}

inline std::vector<Type> nested_types() {
  const Type number{.format = "l", .name = "number"};
  const Type word{.format = "u", .name = "word"};
  const Type flag{.format = "b", .name = "flag"};
  const Type record{.format = "+s", .children = {number, word, flag}, .name = "record"};
  const Type list{.format = "+l", .children = {word}, .name = "list"};
  const Type entry{.format = "+s", .children = {word, number}, .name = "entries"};
  const Type coded{.format = "i", .dictionary = {word}, .name = "coded"};
  return {record,
          list,
          {.format = "+L", .children = {number}, .name = "large"},
          {.format = "+m", .children = {entry}, .name = "map"},
          {.format = "+w:2", .children = {number}, .name = "pair"},
          {.format = "+l", .children = {list}, .name = "lists"},
          {.format = "+l", .children = {record}, .name = "records"},
          {.format = "+s", .children = {list, record, coded}, .name = "deep"},
          {.format = "+l", .children = {coded}, .name = "codes"},
          {.format = "i", .dictionary = {record}, .name = "coded records"}};
}

}  // namespace penstock::support
