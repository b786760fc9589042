#pragma once

#include <cctype>
#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace penstock::support {

// A JSON value, and a reader that accepts nothing but JSON. Escapes are read for the characters
// below 128.
struct Json {
  enum class Kind { kNumber, kText, kList, kObject };

  [[nodiscard]] const Json& operator[](const std::string& key) const { return fields.at(key); }
  [[nodiscard]] bool has(const std::string& key) const { return fields.contains(key); }

  Kind kind = Kind::kNumber;
  double number = 0;
  std::string text;
  std::vector<Json> items;
  std::map<std::string, Json> fields;
};

class JsonReader {
 public:
  static Json read(std::string text) {
    JsonReader reader(std::move(text));
    Json value = reader.value();
    reader.skip_space();
    if (reader.at_ != reader.text_.size()) reader.fail("the end");
    return value;
  }

 private:
  explicit JsonReader(std::string text) : text_(std::move(text)) {}

  Json value() {
    skip_space();
    switch (peek()) {
      case '[':
        return list();
      case '{':
        return object();
      case '"':
        return {.kind = Json::Kind::kText, .text = string()};
      default:
        return number();
    }
  }

  Json list() {
    Json made{.kind = Json::Kind::kList};
    expect('[');
    skip_space();
    while (peek() != ']') {
      if (!made.items.empty()) expect(',');
      made.items.push_back(value());
      skip_space();
    }
    ++at_;
    return made;
  }

  Json object() {
    Json made{.kind = Json::Kind::kObject};
    expect('{');
    skip_space();
    while (peek() != '}') {
      if (!made.fields.empty()) expect(',');
      skip_space();
      auto key = string();
      skip_space();
      expect(':');
      if (!made.fields.emplace(std::move(key), value()).second) fail("another key");
      skip_space();
    }
    ++at_;
    return made;
  }

  std::string string() {
    std::string made;
    expect('"');
    for (; peek() != '"'; ++at_) {
      if (static_cast<unsigned char>(peek()) < 0x20U) fail("an escaped control character");
      made += peek() == '\\' ? escape() : peek();
    }
    ++at_;
    return made;
  }

  char escape() {
    ++at_;
    if (peek() == '"' || peek() == '\\') return peek();
    if (peek() != 'u') fail("a known escape");
    const auto code = std::stoi(text_.substr(at_ + 1, 4), nullptr, 16);
    at_ += 4;
    return static_cast<char>(code);
  }

  Json number() {
    std::size_t used = 0;
    try {
      const double read = std::stod(text_.substr(at_, 32), &used);
      at_ += used;
      return {.number = read};
    } catch (const std::invalid_argument&) {
      fail("a number");
    }
  }

  [[nodiscard]] char peek() const {
    if (at_ >= text_.size()) fail("more");
    return text_[at_];
  }
  void expect(char wanted) {
    if (peek() != wanted) fail(std::string(1, wanted));
    ++at_;
  }
  void skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  [[noreturn]] void fail(const std::string& wanted) const {
    throw std::runtime_error("no JSON at character " + std::to_string(at_) + ": expected " +
                             wanted);
  }

  std::string text_;
  std::size_t at_ = 0;
};

}  // namespace penstock::support
