// Must be reported by ThreadSanitizer: a port queue that publishes items without a release.

#include "penstock/base/thread.hpp"
#include "penstock/queue/port_queue.hpp"

#include "explorer/mutant.hpp"

int main() {
  using penstock::base::RealSync;
  using Broken = penstock::explorer::Mutant<RealSync, {.no_release = true}>;
  constexpr int kItems = 1'000;
  penstock::queue::PortQueue<int, Broken> port(16);
  const penstock::base::Thread producing({.name = "producer"}, [&] {
    auto producer = *port.try_produce();
    for (int i = 0; i < kItems;) producer.try_push(i) ? static_cast<void>(++i) : RealSync::yield();
  });
  auto consumer = *port.try_consume();
  int in_order = 0;
  for (int i = 0; i < kItems;) {
    // An item that nobody looks at would not be read at all.
    if (const auto item = consumer.try_pop()) {
      in_order += *item == i++ ? 1 : 0;
    } else {
      RealSync::yield();
    }
  }
  return in_order == kItems ? 0 : 1;
}
