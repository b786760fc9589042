// Must be reported by ThreadSanitizer: a lock-based reordering scheme without its lock.

#include <atomic>
#include <cstdint>

#include "penstock/base/thread.hpp"
#include "penstock/queue/locked_reorder.hpp"

namespace {

struct NoLock : penstock::base::RealSync {
  struct Mutex {
    void lock() noexcept {}
    void unlock() noexcept {}
    [[nodiscard]] bool try_lock() noexcept { return true; }
  };
};

}  // namespace

int main() {
  using penstock::base::RealSync;
  penstock::queue::LockedReorder<int, NoLock> reorder(2);
  std::atomic<int> sum{0};
  const auto bring = [&](std::uint64_t serial) {
    int unit = 1;
    static_cast<void>(reorder.try_send(serial, unit, [&sum](int&& each) noexcept { sum += each; }));
  };
  // Number 1 is left by one thread and, in time or not, found by the other.
  const penstock::base::Thread other({.name = "other"}, [&] { bring(1); });
  bring(0);
  return sum.load() > 2 ? 1 : 0;
}
