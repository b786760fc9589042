#pragma once

#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace penstock::bench {

class RequestError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

// One line of `key=value` words. Every key must be asked for exactly once: whatever is left was
// misspelt, and would silently measure something else.
class Request {
 public:
  explicit Request(std::string_view line);

  // Without a fallback the key must be there.
  [[nodiscard]] std::string take(const std::string& key);
  [[nodiscard]] std::string take(const std::string& key, const std::string& fallback);
  [[nodiscard]] long take_int(const std::string& key, long fallback, long least, long most);
  [[nodiscard]] double take_number(const std::string& key, double fallback);
  // The position of the value among those that are allowed; the first one is the fallback.
  [[nodiscard]] std::size_t take_choice(const std::string& key,
                                        std::span<const std::string_view> allowed);

  void check_all_taken() const;

 private:
  std::map<std::string, std::string> words_;
};

}  // namespace penstock::bench
