#include "penstock/elastic/cpu_probe.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <string>

#include "penstock/elastic/thread_controller.hpp"

namespace penstock {
namespace {

using namespace elastic;  // NOLINT(google-build-using-namespace)

using Files = std::map<std::string, std::string>;

CpuProbe probe_of(const Files& files) {
  return CpuProbe([&files](const std::string& path) -> std::optional<std::string> {
    const auto found = files.find(path);
    return found == files.end() ? std::nullopt : std::optional(found->second);
  });
}

std::string stat(int busy, int idle) {
  return "cpu  " + std::to_string(busy) + " 0 0 " + std::to_string(idle) +
         " 0 0 0 0 0 0\ncpu0 1 2 3 4 5 6 7 8 9 10\n";
}

TEST(CpuProbe, counts_everything_but_idle_and_waiting_time_as_busy) {
  const auto cpu = parse_proc_stat("cpu  1 2 4 800 1600 8 16 32 5000 5000\ncpu0 9 9 9 9 9\n");
  ASSERT_TRUE(cpu);
  EXPECT_EQ(cpu->busy, 1U + 2 + 4 + 8 + 16 + 32);
  EXPECT_EQ(cpu->total, cpu->busy + 800 + 1600);
}

TEST(CpuProbe, does_not_guess_at_files_it_does_not_understand) {
  for (const auto* text : {"", "cpu", "cpu  1 2 3", "cpu0 1 2 3 4 5 6", "cpu  1 2 x 4 5 6"}) {
    EXPECT_FALSE(parse_proc_stat(text)) << text;
  }
  EXPECT_FALSE(parse_cpu_stat("user_usec 5\n"));
  EXPECT_FALSE(parse_cpu_stat("usage_usec many\n"));
  EXPECT_FALSE(parse_cpu_max("200000"));
  EXPECT_FALSE(parse_cpu_max("200000 0\n"));
  EXPECT_FALSE(parse_cgroup("nonsense\n", ""));
}

TEST(CpuProbe, reads_the_files_of_both_versions_of_control_groups) {
  EXPECT_EQ(parse_cpu_stat("usage_usec 1234\nuser_usec 1000\n"), 1234U);
  EXPECT_EQ(parse_cpu_max("150000 100000\n"), 1.5);
  EXPECT_EQ(parse_cpu_max("max 100000\n"), std::nullopt);
  EXPECT_EQ(parse_cfs("400000\n", "100000\n"), 4.0);
  EXPECT_EQ(parse_cfs("-1\n", "100000\n"), std::nullopt);
  const std::string groups = "4:memory:/m\n2:cpu,cpuacct:/c/d\n0::/a/b\n";
  EXPECT_EQ(parse_cgroup(groups, ""), "/a/b");
  EXPECT_EQ(parse_cgroup(groups, "cpu"), "/c/d");
  EXPECT_EQ(parse_cgroup(groups, "pids"), std::nullopt);
}

TEST(CpuProbe, allows_no_more_threads_until_it_has_seen_two_samples) {
  Files files{{"/proc/stat", stat(0, 0)}};
  auto probe = probe_of(files);
  EXPECT_FALSE(probe.allows_more(0));
  files["/proc/stat"] = stat(10, 90);
  EXPECT_TRUE(probe.allows_more(1));
}

// E5
TEST(CpuProbe, allows_more_threads_up_to_four_fifths_of_the_host) {
  Files files{{"/proc/stat", stat(0, 0)}};
  auto probe = probe_of(files);
  (void)probe.allows_more(0);
  files["/proc/stat"] = stat(80, 20);
  EXPECT_TRUE(probe.allows_more(1));
  files["/proc/stat"] = stat(161, 39);
  EXPECT_FALSE(probe.allows_more(2));
  files["/proc/stat"] = stat(161, 139);
  EXPECT_TRUE(probe.allows_more(3));
}

TEST(CpuProbe, measures_a_group_against_its_own_quota) {
  Files files{{"/proc/stat", stat(0, 0)},
              {"/proc/self/cgroup", "0::/pods/one\n"},
              {"/sys/fs/cgroup/pods/cpu.max", "200000 100000\n"},
              {"/sys/fs/cgroup/pods/cpu.stat", "usage_usec 0\n"},
              {"/sys/fs/cgroup/pods/one/cpu.max", "max 100000\n"}};
  auto probe = probe_of(files);
  (void)probe.update(0);
  files["/proc/stat"] = stat(10, 90);
  files["/sys/fs/cgroup/pods/cpu.stat"] = "usage_usec 1800000\n";
  const auto use = probe.update(1'000'000);
  EXPECT_DOUBLE_EQ(use.host.value(), 0.1);
  EXPECT_DOUBLE_EQ(use.group.value(), 0.9);
  EXPECT_FALSE(use.allows_more());
}

TEST(CpuProbe, measures_a_version_1_group_too) {
  Files files{{"/proc/self/cgroup", "2:cpuacct,cpu:/one\n0::/\n"},
              {"/sys/fs/cgroup/cpu/one/cpu.cfs_quota_us", "50000\n"},
              {"/sys/fs/cgroup/cpu/one/cpu.cfs_period_us", "100000\n"},
              {"/sys/fs/cgroup/cpuacct/one/cpuacct.usage", "1000000\n"}};
  auto probe = probe_of(files);
  (void)probe.update(0);
  files["/sys/fs/cgroup/cpuacct/one/cpuacct.usage"] = "101000000\n";
  const auto use = probe.update(1'000'000);
  EXPECT_FALSE(use.host);
  EXPECT_DOUBLE_EQ(use.group.value(), 0.2);
  EXPECT_TRUE(use.allows_more());
}

TEST(CpuProbe, knows_nothing_when_counters_run_backwards) {
  Files files{{"/proc/stat", stat(50, 50)}};
  auto probe = probe_of(files);
  (void)probe.update(0);
  files["/proc/stat"] = stat(40, 70);
  EXPECT_FALSE(probe.update(1).host);
}

TEST(CpuProbe, says_no_on_a_machine_that_shows_nothing) {
  const Files files;
  auto probe = probe_of(files);
  (void)probe.update(0);
  EXPECT_FALSE(probe.allows_more(1));
}

TEST(CpuProbe, names_the_files_that_do_not_tell_how_busy_the_processors_are) {
  Files files;
  auto probe = probe_of(files);
  EXPECT_EQ(probe.room(0).unknown,
            "how busy the processors are is not known: /proc/stat cannot be read, and no control "
            "group has a quota that could be read instead (cpu.max in /sys/fs/cgroup)");
  files["/sys/fs/cgroup/cpu.max"] = "200000 100000\n";
  EXPECT_NE(probe.room(1).unknown.find("neither can cpu.stat of the control group in /sys/fs"),
            std::string::npos);
  files["/sys/fs/cgroup/cpu.stat"] = "usage_usec 0\n";
  EXPECT_NE(probe.room(2).unknown.find("cannot be read, and neither has cpu.stat"),
            std::string::npos);
  const auto known = probe.room(1'000'000);
  EXPECT_EQ(known.unknown, "");
  EXPECT_TRUE(known.for_more);
}

TEST(CpuProbe, knows_that_a_machine_is_busy) {
  Files files{{"/proc/stat", stat(0, 0)}};
  auto probe = probe_of(files);
  EXPECT_NE(probe.room(0).unknown.find("/proc/stat has not moved on"), std::string::npos);
  files["/proc/stat"] = stat(90, 10);
  const auto busy = probe.room(1);
  EXPECT_FALSE(busy.for_more);
  EXPECT_EQ(busy.unknown, "");
}

TEST(CpuProbe, reads_this_machine) {
  const auto text = read_file("/proc/stat");
  ASSERT_TRUE(text);
  EXPECT_TRUE(parse_proc_stat(*text));
  EXPECT_FALSE(read_file("/proc/no-such-file"));
}

// E5: the rule and the controller together, on a host that its own threads fill.
TEST(CpuProbe, keeps_a_controller_below_four_fifths_of_the_host) {
  constexpr int kProcessors = 8;
  Files files{{"/proc/stat", stat(0, 0)}};
  auto probe = probe_of(files);
  (void)probe.update(0);
  ThreadController controller({.range = {.least = 1, .most = kProcessors}});
  int busy = 0;
  int idle = 0;
  for (std::uint64_t period = 1; period <= 40; ++period) {
    const int others = 5;  // processors that other programs keep busy
    busy += 100 * std::min(kProcessors, controller.level() + others);
    idle += 100 * std::max(0, kProcessors - controller.level() - others);
    files["/proc/stat"] = stat(busy, idle);
    const int before = controller.level();
    const bool allowed = probe.allows_more(period);
    EXPECT_EQ(allowed, before + others <= 0.8 * kProcessors);
    EXPECT_LE(controller.update(before, allowed).level, allowed ? kProcessors : before);
  }
  EXPECT_EQ(controller.level(), 2);
}

}  // namespace
}  // namespace penstock
