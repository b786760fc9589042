// Must be reported by ThreadSanitizer: a baton handed on without a release.

#include <atomic>
#include <cstdint>

#include "penstock/base/thread.hpp"
#include "penstock/queue/baton_reorder.hpp"

#include "explorer/mutant.hpp"

int main() {
  using penstock::base::RealSync;
  using Broken = penstock::explorer::Mutant<RealSync, {.no_release = true}>;
  constexpr std::uint64_t kUnits = 1'000;
  penstock::queue::BatonReorder<int, Broken> reorder(4);
  std::atomic<std::uint64_t> numbers{0};
  int sum = 0;
  const auto bring = [&] {
    for (;;) {
      const auto serial = numbers.fetch_add(1, std::memory_order_relaxed);
      if (serial >= kUnits) return;
      int unit = 1;
      while (!reorder.try_send(serial, unit, [&sum](int&& each) noexcept { sum += each; })) {
        RealSync::yield();
      }
      RealSync::yield();
    }
  };
  penstock::base::Thread other({.name = "other"}, bring);
  bring();
  other.join();
  return sum == static_cast<int>(kUnits) ? 0 : 1;
}
