#include <atomic>
#include <cstddef>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

#include "penstock/base/event_count.hpp"
#include "penstock/base/thread.hpp"
#include "penstock/queue/port_queue.hpp"
#include "penstock/queue/ready_set.hpp"

namespace penstock::queue {
namespace {

// Producers fill many ports, workers find them through the set and sleep in between. An item that
// is left behind while all sleep hangs the test.
TEST(ready_set_stress, every_item_of_every_port_is_found_in_order) {
  constexpr std::size_t kPorts = 200;
  constexpr int kItems = 150;  // per port
  constexpr int kAll = static_cast<int>(kPorts) * kItems;
  std::vector<std::unique_ptr<PortQueue<int>>> ports;
  for (std::size_t i = 0; i < kPorts; ++i) ports.push_back(std::make_unique<PortQueue<int>>(4));
  std::vector<int> next(kPorts);  // plain: the consumer role orders each
  ReadySet<> ready(kPorts);
  base::EventCount<> events;
  std::atomic<int> taken{0};
  const auto make_ready = [&](std::size_t port) {
    if (ready.set(port)) events.notify_one();
  };
  const auto run = [&](std::size_t port) {
    auto consumer = ports[port]->try_consume();
    if (!consumer) return;  // its holder looks once more
    while (const auto item = consumer->try_pop()) {
      EXPECT_EQ(*item, next[port]++);
      taken.fetch_add(1, std::memory_order_relaxed);
    }
    consumer.reset();
    base::RealSync::fence_seq_cst();
    if (ports[port]->size_hint() != 0) make_ready(port);
  };
  std::vector<base::Thread> threads;
  for (int worker = 0; worker < 3; ++worker) {
    threads.emplace_back(base::ThreadOptions{.name = "worker"}, [&] {
      std::size_t start = 0;
      while (taken.load(std::memory_order_relaxed) < kAll) {
        auto port = ready.take_next(start);
        if (!port) {
          const auto key = events.prepare_wait();
          port = ready.take_next(start);
          if (port || taken.load(std::memory_order_relaxed) == kAll) {
            events.cancel_wait();
          } else {
            events.wait(key).accept();
          }
        }
        if (port) run(*port);
        start = port.value_or(start) + 1;
      }
      events.notify_all();
    });
  }
  for (const std::size_t half : {std::size_t{0}, std::size_t{1}}) {
    threads.emplace_back(base::ThreadOptions{.name = "producer"}, [&, half] {
      for (int item = 0; item < kItems; ++item) {
        for (std::size_t port = half; port < kPorts; port += 2) {
          int pushed = item;
          while (!ports[port]->try_produce()->try_push(pushed)) base::RealSync::yield();
          make_ready(port);
        }
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(taken.load(), kAll);
  for (const int count : next) EXPECT_EQ(count, kItems);
}

}  // namespace
}  // namespace penstock::queue
