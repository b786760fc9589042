#include "penstock/ops/text_template.hpp"

#include <stdexcept>
#include <utility>

namespace penstock::ops {

TextTemplate::TextTemplate(std::vector<std::string> literals) : literals_(std::move(literals)) {
  if (literals_.size() < 2) throw std::invalid_argument("a template needs a field");
  for (std::size_t i = 1; i + 1 < literals_.size(); ++i) {
    if (literals_[i].empty()) {
      throw std::invalid_argument("nothing tells where field " + std::to_string(i) +
                                  " of the template ends; put text between fields");
    }
  }
}

bool TextTemplate::match(std::string_view line, std::vector<std::string_view>& fields) const {
  fields.clear();
  if (!line.starts_with(literals_.front())) return false;
  line.remove_prefix(literals_.front().size());
  for (std::size_t i = 1; i + 1 < literals_.size(); ++i) {
    const auto end = line.find(literals_[i]);
    if (end == std::string_view::npos) return false;
    fields.push_back(line.substr(0, end));
    line.remove_prefix(end + literals_[i].size());
  }
  if (!line.ends_with(literals_.back())) return false;
  line.remove_suffix(literals_.back().size());
  fields.push_back(line);
  return true;
}

}  // namespace penstock::ops
