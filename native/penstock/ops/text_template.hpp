#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace penstock::ops {

// Text with fields between literals, as in "Failed password for {user} from {ip}". A field goes up
// to the first place where the literal behind it begins, and the last one up to the end, or to the
// literal that ends the text. Nothing is tried twice, so a line is read once.
class TextTemplate {
 public:
  // One literal before each field and one behind the last; only the outermost may be empty. Throws
  // std::invalid_argument otherwise.
  explicit TextTemplate(std::vector<std::string> literals);

  [[nodiscard]] std::size_t fields() const noexcept { return literals_.size() - 1; }

  // Cuts all of a line into the texts of the fields. False if it is not such a line.
  [[nodiscard]] bool match(std::string_view line, std::vector<std::string_view>& fields) const;

 private:
  std::vector<std::string> literals_;
};

}  // namespace penstock::ops
