#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace penstock::ops::expression {

// One line of a program: it makes a value of each row, which later lines call by the number of the
// line. `type` is a letter of Arrow's C data interface.
struct Instruction {
  std::string word;       // "column", "literal", "cast", or the name of Arrow's function
  std::string type;       // of what it makes
  std::vector<int> args;  // lines before this one; of "column" the column's position
  std::optional<std::uint64_t> bits;  // of a "literal", its value as it lies in memory, or null
};

}  // namespace penstock::ops::expression
