#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace penstock::bench {

[[nodiscard]] std::string json_text(std::string_view text);

// An object on one line, as far as the answers need it.
class JsonObject {
 public:
  JsonObject& add(std::string_view key, double value);
  JsonObject& add(std::string_view key, std::uint64_t value);
  JsonObject& add(std::string_view key, std::string_view value);

  [[nodiscard]] std::string line() const { return "{" + members_ + "}"; }

 private:
  JsonObject& add_raw(std::string_view key, std::string_view value);

  std::string members_;
};

}  // namespace penstock::bench
