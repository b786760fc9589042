// Must be reported by ThreadSanitizer: an event count whose mutex does not exclude. A sanitizer
// build that lets it pass does not watch.

#include <atomic>

#include "penstock/base/event_count.hpp"
#include "penstock/base/thread.hpp"

namespace {

// Keeps the list itself whole, and hides from the sanitizer that a mutex orders it.
struct UnorderedMutex {
  [[gnu::no_sanitize("thread")]] void lock() {
    while (__atomic_exchange_n(&taken, 1, __ATOMIC_ACQUIRE) != 0) {
    }
  }
  [[gnu::no_sanitize("thread")]] void unlock() { __atomic_store_n(&taken, 0, __ATOMIC_RELEASE); }
  [[gnu::no_sanitize("thread")]] bool try_lock() {
    return __atomic_exchange_n(&taken, 1, __ATOMIC_ACQUIRE) == 0;
  }
  int taken = 0;
};

struct BrokenSync : penstock::base::RealSync {
  using Mutex = UnorderedMutex;
};

}  // namespace

int main() {
  penstock::base::EventCount<BrokenSync> events;
  std::atomic<bool> done{false};
  penstock::base::Thread waiter({.name = "waiter"}, [&] {
    while (!done.load(std::memory_order_relaxed)) {
      const auto key = events.prepare_wait();
      if (done.load(std::memory_order_relaxed)) {
        events.cancel_wait();
      } else {
        events.wait(key).accept();
      }
    }
  });
  for (int i = 0; i < 1'000; ++i) {
    events.notify_one();
    penstock::base::RealSync::yield();
  }
  done.store(true, std::memory_order_relaxed);
  events.notify_all();
}
