#include "bench/answer_lines.hpp"

#include <exception>
#include <istream>
#include <ostream>

#include "bench/json.hpp"

namespace penstock::bench {

void answer_lines(std::istream& in, std::ostream& out,
                  const std::function<std::string(Request& request)>& answer) {
  for (std::string line; std::getline(in, line);) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    std::string said;
    try {
      Request request(line);
      said = answer(request);
    } catch (const std::exception& error) {
      said = JsonObject().add("error", error.what()).line();
    }
    out << said << '\n' << std::flush;
  }
}

}  // namespace penstock::bench
