#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace penstock::elastic {

// No more threads while more than this part of the processors is busy (Schneider & Wu 2017,
// §4.2.3): several PEs that all look for their best level must not overload a machine together.
inline constexpr double kCpuLimit = 0.8;

// Processor time of the whole machine since it started, in the kernel's ticks.
struct HostCpu {
  std::uint64_t busy = 0;
  std::uint64_t total = 0;
};

// The pure part: the text of a file of the kernel in, numbers out, empty when it is not understood.
[[nodiscard]] std::optional<HostCpu> parse_proc_stat(std::string_view text);
// `usage_usec` of a version 2 cpu.stat.
[[nodiscard]] std::optional<std::uint64_t> parse_cpu_stat(std::string_view text);
// Processors by a version 2 cpu.max, "200000 100000"; empty for "max", which is no limit.
[[nodiscard]] std::optional<double> parse_cpu_max(std::string_view text);
// Processors by version 1's cpu.cfs_quota_us and cpu.cfs_period_us; -1 is no limit.
[[nodiscard]] std::optional<double> parse_cfs(std::string_view quota, std::string_view period);
// The folder of a process by /proc/self/cgroup: that of `controller`, or of version 2 when empty.
[[nodiscard]] std::optional<std::string> parse_cgroup(std::string_view text,
                                                      std::string_view controller);

// What was read at one time. The group's fields are empty where no quota limits it.
struct CpuSample {
  std::uint64_t time_us = 0;
  std::optional<HostCpu> host;
  std::optional<std::uint64_t> group_usage_us;
  std::optional<double> group_processors;
};

// Parts of the processors that were busy, 0 to 1; empty where it cannot be known.
struct CpuUse {
  std::optional<double> host;
  std::optional<double> group;

  // False while nothing is known: a machine is taken to be busy until it is seen not to be.
  [[nodiscard]] bool allows_more(double limit = kCpuLimit) const noexcept;
};

// Whether there is room for more threads and, where nobody knows, what could not be read.
struct CpuRoom {
  bool for_more = false;
  std::string unknown;  // empty where it is known
};

[[nodiscard]] CpuUse use_between(const CpuSample& before, const CpuSample& after);

// The whole of a small file, empty when it cannot be read.
[[nodiscard]] std::optional<std::string> read_file(const std::string& path);

// The thin shell around the above. It has no clock: the time is an argument.
class CpuProbe {
 public:
  using Reader = std::function<std::optional<std::string>(const std::string& path)>;

  explicit CpuProbe(Reader reader = &read_file, double limit = kCpuLimit)
      : reader_(std::move(reader)), limit_(limit) {}

  // Use since the call before; nothing is known at the first call.
  CpuUse update(std::uint64_t time_us);
  // update() and the rule in one: the `cpu_ok` of ThreadController::update().
  [[nodiscard]] bool allows_more(std::uint64_t time_us) {
    return update(time_us).allows_more(limit_);
  }
  // The same for whoever has to tell users why not.
  [[nodiscard]] CpuRoom room(std::uint64_t time_us);

  [[nodiscard]] CpuSample sample(std::uint64_t time_us) const;

 private:
  [[nodiscard]] bool sample_group_v2(CpuSample& sample) const;
  void sample_group_v1(CpuSample& sample) const;

  Reader reader_;
  double limit_;
  std::optional<CpuSample> last_;
};

}  // namespace penstock::elastic
