#pragma once

#include <functional>
#include <iosfwd>
#include <string>

#include "bench/request.hpp"

namespace penstock::bench {

// Reads one request per line and answers each with one line of JSON, so that whoever asks can let
// the contenders of several programs take turns. A request that is wrong is answered with
// {"error": "..."}.
void answer_lines(std::istream& in, std::ostream& out,
                  const std::function<std::string(Request& request)>& answer);

}  // namespace penstock::bench
