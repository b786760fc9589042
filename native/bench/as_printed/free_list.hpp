#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "penstock/base/cache_line.hpp"

namespace penstock::bench::as_printed {

// The `freePorts` of Figure 3: a lock-free first-in first-out list of linked nodes, as the library
// that the paper names has it (Michael & Scott 1996). Nodes come from a pool and are used again; a
// tag that grows with every use keeps an old look at a node from being taken for a new one.
class FreeList {
 public:
  explicit FreeList(std::uint32_t most)
      : nodes_(std::make_unique<Node[]>(most + 1 + kSpare)),
        head_(link(0, 0)),
        tail_(link(0, 0)),
        pool_(link(kNone, 0)) {
    nodes_[0].next.store(link(kNone, 0), std::memory_order_relaxed);
    for (std::uint32_t node = 1; node < most + 1 + kSpare; ++node) give_back(node);
  }

  // False only when the pool is empty: threads that have not finished a pop hold nodes of it.
  [[nodiscard]] bool push(std::uint32_t port) noexcept {
    const auto node = take_node();
    if (!node) return false;
    nodes_[*node].port.store(port, std::memory_order_relaxed);
    const auto old = nodes_[*node].next.load(std::memory_order_relaxed);
    nodes_[*node].next.store(link(kNone, tag(old) + 1), std::memory_order_release);
    for (;;) {
      auto tail = tail_.load(std::memory_order_acquire);
      auto next = nodes_[index(tail)].next.load(std::memory_order_acquire);
      if (tail != tail_.load(std::memory_order_acquire)) continue;
      if (index(next) != kNone) {
        tail_.compare_exchange_strong(tail, link(index(next), tag(tail) + 1));
      } else if (nodes_[index(tail)].next.compare_exchange_strong(next,
                                                                  link(*node, tag(next) + 1))) {
        tail_.compare_exchange_strong(tail, link(*node, tag(tail) + 1));
        return true;
      }
    }
  }

  [[nodiscard]] std::optional<std::uint32_t> pop() noexcept {
    for (;;) {
      auto head = head_.load(std::memory_order_acquire);
      auto tail = tail_.load(std::memory_order_acquire);
      const auto next = nodes_[index(head)].next.load(std::memory_order_acquire);
      if (head != head_.load(std::memory_order_acquire)) continue;
      if (index(next) == kNone) return std::nullopt;
      if (index(head) == index(tail)) {
        tail_.compare_exchange_strong(tail, link(index(next), tag(tail) + 1));
        continue;
      }
      const auto port = nodes_[index(next)].port.load(std::memory_order_relaxed);
      if (head_.compare_exchange_strong(head, link(index(next), tag(head) + 1))) {
        give_back(index(head));
        return port;
      }
    }
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::uint32_t kSpare = 64;  // nodes that threads may hold at a moment

  struct Node {
    std::atomic<std::uint64_t> next{0};
    std::atomic<std::uint32_t> port{0};
  };

  [[nodiscard]] static constexpr std::uint64_t link(std::uint32_t index, std::uint32_t tag) {
    return (std::uint64_t{tag} << 32U) | index;
  }
  [[nodiscard]] static constexpr std::uint32_t index(std::uint64_t link) {
    return static_cast<std::uint32_t>(link);
  }
  [[nodiscard]] static constexpr std::uint32_t tag(std::uint64_t link) {
    return static_cast<std::uint32_t>(link >> 32U);
  }

  [[nodiscard]] std::optional<std::uint32_t> take_node() noexcept {
    auto top = pool_.load(std::memory_order_acquire);
    while (index(top) != kNone) {
      const auto next = nodes_[index(top)].next.load(std::memory_order_acquire);
      if (pool_.compare_exchange_weak(top, link(index(next), tag(top) + 1))) return index(top);
    }
    return std::nullopt;
  }

  void give_back(std::uint32_t node) noexcept {
    auto top = pool_.load(std::memory_order_acquire);
    do {
      const auto old = nodes_[node].next.load(std::memory_order_relaxed);
      nodes_[node].next.store(link(index(top), tag(old) + 1), std::memory_order_release);
    } while (!pool_.compare_exchange_weak(top, link(node, tag(top) + 1)));
  }

  std::unique_ptr<Node[]> nodes_;
  alignas(base::kCacheLine) std::atomic<std::uint64_t> head_;
  alignas(base::kCacheLine) std::atomic<std::uint64_t> tail_;
  alignas(base::kCacheLine) std::atomic<std::uint64_t> pool_;
};

}  // namespace penstock::bench::as_printed
