#include "penstock/base/address_space.hpp"

#include <array>
#include <charconv>
#include <cstddef>
#include <fcntl.h>
#include <malloc.h>
#include <sys/resource.h>
#include <system_error>
#include <unistd.h>

namespace penstock::base {

namespace {

constexpr int kArenas = 2;
constexpr std::size_t kReserve = 4;  // one part in so many

// Of this process, in bytes; 0 when that cannot be known. Without allocating.
std::size_t used() noexcept {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): that is how open is declared
  const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  std::array<char, 64> text{};
  const auto size = read(file, text.data(), text.size());
  close(file);
  if (size <= 0) return 0;
  std::size_t pages = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + size, pages);
  return error == std::errc() ? pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) : 0;
}

}  // namespace

bool has_room_for_thread(std::size_t bytes) noexcept {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return true;
  return used() + bytes + limit.rlim_cur / kReserve <= limit.rlim_cur;
}

void share_arenas() noexcept {
#ifdef M_ARENA_MAX
  // NOLINTNEXTLINE(concurrency-mt-unsafe): called before there are threads
  mallopt(M_ARENA_MAX, kArenas);
#endif
}

}  // namespace penstock::base
