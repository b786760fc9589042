#pragma once

#include <string>
#include <string_view>

namespace penstock::ops {

// The text with a question mark for every byte that is not UTF-8: it comes from others, who may
// have cut it off within a character.
[[nodiscard]] std::string readable(std::string_view text);

}  // namespace penstock::ops
