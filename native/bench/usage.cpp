#include "bench/usage.hpp"

#include <sys/resource.h>

namespace penstock::bench {

Usage usage() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  const auto switches = used.ru_nvcsw + used.ru_nivcsw;  // NOLINT(*-union-access)
  return {.cpu_seconds = seconds(used.ru_utime) + seconds(used.ru_stime),
          .context_switches = static_cast<std::uint64_t>(switches)};
}

}  // namespace penstock::bench
