// A driver loop that works for long without a wait, and asks whether anybody still wants it to.
#include <chrono>
#include <fstream>
#include <penstock_loop.hpp>
#include <string>
#include <string_view>

using Clock = std::chrono::steady_clock;

// Makes a file of the first row's name when it is inside, and one of the second row's when it was
// stopped there.
penstock::Loop asks(penstock::Ports& ports) {
  std::string paths[2];
  for (std::string& path : paths) {
    if (!co_await ports.all({0, 1})) co_return;
    penstock::Rows row = ports.take(0, 1);
    path = row.column<std::string_view>(0)[0];
    ports.push(std::move(row));
  }
  std::ofstream(paths[0]) << "inside" << std::flush;
  const auto until = Clock::now() + std::chrono::seconds(60);
  while (!ports.stopped() && Clock::now() < until) {
  }
  if (ports.stopped()) std::ofstream(paths[1]) << "stopped" << std::flush;
}
PENSTOCK_LOOP(asks, "rows: path string", "out: path string");
