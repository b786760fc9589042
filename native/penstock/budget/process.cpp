#include "penstock/budget/process.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <fcntl.h>
#include <optional>
#include <string>
#include <string_view>
#include <unistd.h>

namespace penstock::budget {

namespace {

struct Stat {
  char state = '?';
  std::uint64_t started = 0;
};

// Fields of /proc/PID/stat, counted from 1, and the first one behind the name of the program.
constexpr int kState = 3;
constexpr int kStarted = 22;

std::string text_of(const std::string& path) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): that is how open is declared
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  std::array<char, 1024> buffer{};
  const ssize_t size = read(file, buffer.data(), buffer.size());
  close(file);
  return size <= 0 ? std::string() : std::string(buffer.data(), static_cast<std::size_t>(size));
}

std::optional<Stat> stat_of(std::int32_t pid) {
  const std::string text = text_of("/proc/" + std::to_string(pid) + "/stat");
  // The name of the program is in parentheses, and may have blanks and parentheses itself.
  const auto name_ends = text.rfind(')');
  if (name_ends == std::string::npos || name_ends + 2 >= text.size()) return std::nullopt;
  std::string_view rest(text);
  rest.remove_prefix(name_ends + 2);
  Stat found{.state = rest.front()};
  for (int field = kState; field < kStarted; ++field) {
    const auto blank = rest.find(' ');
    if (blank == std::string_view::npos) return std::nullopt;
    rest.remove_prefix(blank + 1);
  }
  for (const char digit : rest) {
    if (digit < '0' || digit > '9') break;
    found.started = found.started * 10 + static_cast<std::uint64_t>(digit - '0');
  }
  return found;
}

}  // namespace

Owner this_process() {
  const auto pid = static_cast<std::int32_t>(getpid());
  const auto found = stat_of(pid);
  return {.pid = pid, .started = found ? found->started : 0};
}

bool is_dead(const Owner& owner) {
  if (kill(owner.pid, 0) != 0 && errno == ESRCH) return true;
  const auto found = stat_of(owner.pid);
  // Where nothing is shown of processes, they are believed.
  if (!found) return false;
  if (found->state == 'Z' || found->state == 'X') return true;
  return owner.started != 0 && found->started != owner.started;
}

}  // namespace penstock::budget
