#include "bench/core_distance.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <pthread.h>
#include <sched.h>
#include <thread>
#include <vector>

#include "penstock/base/cache_line.hpp"

namespace penstock::bench {

namespace {

constexpr int kVolleys = 5;
constexpr long kStrokes = 1'000;  // there and back, in each volley

struct alignas(base::kCacheLine) Ball {
  std::atomic<long> at{0};
};

std::vector<int> usable_cores() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  std::vector<int> cores;
  if (sched_getaffinity(0, sizeof mask, &mask) != 0) return cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &mask)) cores.push_back(core);
  }
  return cores;
}

void stay_on(int core) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  CPU_SET(core, &mask);
  // Without it the number is that of whatever cores they run on.
  static_cast<void>(pthread_setaffinity_np(pthread_self(), sizeof mask, &mask));
}

void wait_for(const Ball& ball, long stroke) {
  while (ball.at.load(std::memory_order_acquire) != stroke) {
  }
}

}  // namespace

double core_distance_ns() {
  const auto cores = usable_cores();
  if (cores.size() < 2) return 0;
  Ball there;
  Ball back;
  std::thread other([&] {
    stay_on(cores[1]);
    for (long stroke = 1; stroke <= kVolleys * kStrokes; ++stroke) {
      wait_for(there, stroke);
      back.at.store(stroke, std::memory_order_release);
    }
  });
  std::array<double, kVolleys> found{};
  std::thread one([&] {
    stay_on(cores[0]);
    long stroke = 0;
    for (double& volley : found) {
      const auto begin = std::chrono::steady_clock::now();
      for (long i = 0; i < kStrokes; ++i) {
        there.at.store(++stroke, std::memory_order_release);
        wait_for(back, stroke);
      }
      const std::chrono::duration<double, std::nano> took =
          std::chrono::steady_clock::now() - begin;
      volley = took.count() / (2.0 * kStrokes);
    }
  });
  one.join();
  other.join();
  std::ranges::nth_element(found, found.begin() + kVolleys / 2);
  return found[kVolleys / 2];
}

}  // namespace penstock::bench
