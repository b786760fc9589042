#include "penstock/elastic/cpu_probe.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <vector>

namespace penstock::elastic {

namespace {

// user, nice, system, idle, iowait, irq, softirq, steal; the guest times behind them are already
// part of user and nice.
constexpr std::size_t kTimes = 8;
constexpr std::size_t kIdle = 3;
constexpr std::size_t kIoWait = 4;

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const auto end = std::min(text.find_first_of(separators), text.size());
    if (end > 0) words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

std::optional<std::uint64_t> number(std::string_view word) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return value;
}

std::optional<double> ratio(std::string_view quota, std::string_view period) {
  const auto above = number(quota);
  const auto below = number(period);
  if (!above || !below || *below == 0) return std::nullopt;
  return static_cast<double>(*above) / static_cast<double>(*below);
}

// A process's folder first, then those around it: an outer group may be the one with the quota.
std::vector<std::string> folders_upwards(const std::string& root, std::string path) {
  std::vector<std::string> folders;
  while (path.size() > 1 && path.front() == '/') {
    folders.push_back(root + path);
    path.resize(path.rfind('/'));
  }
  folders.push_back(root);
  return folders;
}

// Why there is no use between this sample and the one before.
std::string not_known(const CpuSample& now) {
  const std::string host = now.host ? "/proc/stat has not moved on" : "/proc/stat cannot be read";
  const std::string group =
      !now.group_processors
          ? "no control group has a quota that could be read instead (cpu.max in /sys/fs/cgroup)"
      : now.group_usage_us ? "neither has cpu.stat of the control group"
                           : "neither can cpu.stat of the control group in /sys/fs/cgroup";
  return "how busy the processors are is not known: " + host + ", and " + group;
}

}  // namespace

std::optional<HostCpu> parse_proc_stat(std::string_view text) {
  const auto words = split(text.substr(0, text.find('\n')), " ");
  if (words.size() <= kIoWait + 1 || words[0] != "cpu") return std::nullopt;
  HostCpu cpu;
  for (std::size_t i = 0; i < std::min(kTimes, words.size() - 1); ++i) {
    const auto ticks = number(words[i + 1]);
    if (!ticks) return std::nullopt;
    cpu.total += *ticks;
    if (i != kIdle && i != kIoWait) cpu.busy += *ticks;
  }
  return cpu;
}

std::optional<std::uint64_t> parse_cpu_stat(std::string_view text) {
  for (const auto line : split(text, "\n")) {
    const auto words = split(line, " ");
    if (words.size() == 2 && words[0] == "usage_usec") return number(words[1]);
  }
  return std::nullopt;
}

std::optional<double> parse_cpu_max(std::string_view text) {
  const auto words = split(text, " \n");
  return words.size() == 2 ? ratio(words[0], words[1]) : std::nullopt;
}

std::optional<double> parse_cfs(std::string_view quota, std::string_view period) {
  const auto above = split(quota, " \n");
  const auto below = split(period, " \n");
  return above.size() == 1 && below.size() == 1 ? ratio(above[0], below[0]) : std::nullopt;
}

std::optional<std::string> parse_cgroup(std::string_view text, std::string_view controller) {
  for (const auto line : split(text, "\n")) {
    const auto first = line.find(':');
    const auto second =
        first == std::string_view::npos ? std::string_view::npos : line.find(':', first + 1);
    if (second == std::string_view::npos) continue;
    const auto listed = line.substr(first + 1, second - first - 1);
    const auto controllers = split(listed, ",");
    if (controller.empty() ? listed.empty()
                           : std::ranges::find(controllers, controller) != controllers.end()) {
      return std::string(line.substr(second + 1));
    }
  }
  return std::nullopt;
}

bool CpuUse::allows_more(double limit) const noexcept {
  const bool known = host || group;
  return known && host.value_or(0) <= limit && group.value_or(0) <= limit;
}

CpuUse use_between(const CpuSample& before, const CpuSample& after) {
  CpuUse use;
  // The kernel may take idle time back, so a counter that went down means "not known".
  if (before.host && after.host && after.host->total > before.host->total &&
      after.host->busy >= before.host->busy) {
    use.host = static_cast<double>(after.host->busy - before.host->busy) /
               static_cast<double>(after.host->total - before.host->total);
  }
  if (before.group_usage_us && after.group_usage_us && after.group_processors &&
      *after.group_processors > 0 && *after.group_usage_us >= *before.group_usage_us &&
      after.time_us > before.time_us) {
    use.group = static_cast<double>(*after.group_usage_us - *before.group_usage_us) /
                (static_cast<double>(after.time_us - before.time_us) * *after.group_processors);
  }
  return use;
}

std::optional<std::string> read_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

CpuUse CpuProbe::update(std::uint64_t time_us) {
  const CpuSample now = sample(time_us);
  const CpuUse use = last_ ? use_between(*last_, now) : CpuUse{};
  last_ = now;
  return use;
}

CpuRoom CpuProbe::room(std::uint64_t time_us) {
  const CpuUse use = update(time_us);
  return {.for_more = use.allows_more(limit_),
          .unknown = use.host || use.group ? "" : not_known(*last_)};
}

CpuSample CpuProbe::sample(std::uint64_t time_us) const {
  CpuSample sample{.time_us = time_us};
  if (const auto text = reader_("/proc/stat")) sample.host = parse_proc_stat(*text);
  if (!sample_group_v2(sample)) sample_group_v1(sample);
  return sample;
}

bool CpuProbe::sample_group_v2(CpuSample& sample) const {
  const auto groups = reader_("/proc/self/cgroup");
  const auto path = groups ? parse_cgroup(*groups, "") : std::nullopt;
  for (const auto& folder : folders_upwards("/sys/fs/cgroup", path.value_or(""))) {
    const auto limit = reader_(folder + "/cpu.max");
    sample.group_processors = limit ? parse_cpu_max(*limit) : std::nullopt;
    if (!sample.group_processors) continue;
    const auto text = reader_(folder + "/cpu.stat");
    sample.group_usage_us = text ? parse_cpu_stat(*text) : std::nullopt;
    return true;
  }
  return false;
}

void CpuProbe::sample_group_v1(CpuSample& sample) const {
  const auto groups = reader_("/proc/self/cgroup");
  const auto path = groups ? parse_cgroup(*groups, "cpu") : std::nullopt;
  const auto limits = folders_upwards("/sys/fs/cgroup/cpu", path.value_or(""));
  const auto usages = folders_upwards("/sys/fs/cgroup/cpuacct", path.value_or(""));
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const auto quota = reader_(limits[i] + "/cpu.cfs_quota_us");
    const auto period = reader_(limits[i] + "/cpu.cfs_period_us");
    sample.group_processors = quota && period ? parse_cfs(*quota, *period) : std::nullopt;
    if (!sample.group_processors) continue;
    const auto text = reader_(usages[i] + "/cpuacct.usage");
    const auto words = text ? split(*text, " \n") : std::vector<std::string_view>{};
    const auto nanoseconds = words.size() == 1 ? number(words[0]) : std::nullopt;
    if (nanoseconds) sample.group_usage_us = *nanoseconds / 1000;
    return;
  }
}

}  // namespace penstock::elastic
