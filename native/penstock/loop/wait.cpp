#include "penstock/loop/wait.hpp"

#include <algorithm>

namespace penstock::loop {

namespace {

const InPort& port_of(const Need& need, std::span<const InPort> ports) {
  return ports[static_cast<std::size_t>(need.port)];
}

bool is_short(const Need& need, std::span<const InPort> ports) {
  return port_of(need, ports).rows() < need.rows;
}

}  // namespace

std::int64_t rows_until_done(const WaitFor& wait, std::span<const InPort> ports, int port) {
  std::int64_t missing = kNotByThis;
  for (const Need& need : wait.needs) {
    const std::int64_t here = need.rows - port_of(need, ports).rows();
    if (need.port != port) {
      if (wait.mode == WaitFor::Mode::kAll && here > 0) return kNotByThis;
    } else if (missing == kNotByThis) {
      missing = here;
    } else {
      missing =
          wait.mode == WaitFor::Mode::kAll ? std::max(missing, here) : std::min(missing, here);
    }
  }
  return missing;
}

std::string describe_short(const WaitFor& wait, std::span<const InPort> ports) {
  std::string text;
  for (const Need& need : wait.needs) {
    if (!is_short(need, ports)) continue;
    const InPort& port = port_of(need, ports);
    if (!text.empty()) text += wait.mode == WaitFor::Mode::kAll ? " and " : " or ";
    text += count_of_rows(need.rows) + " of port '" + port.name() + "' (" +
            std::to_string(port.rows()) + " there)";
  }
  return text;
}

std::string count_of_rows(std::int64_t rows) {
  return std::to_string(rows) + (rows == 1 ? " row" : " rows");
}

}  // namespace penstock::loop
