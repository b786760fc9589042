#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

#include "penstock/base/cache_line.hpp"
#include "penstock/base/sync.hpp"
#include "penstock/queue/queueable.hpp"

namespace penstock::queue {

// A fixed number of list nodes, taken by one thread at a time and given back by any.
//
// Those given back form a stack that the taker empties in one exchange, so a node can never
// come back to the top of it between somebody's look and its update.
template <Queueable T, base::SyncPolicy Sync = base::RealSync>
class NodePool {
 public:
  struct Node {
    typename Sync::template Plain<Node*> next{nullptr};
    typename Sync::template Plain<T> item{};
  };

  explicit NodePool(std::size_t size) : nodes_(std::make_unique<Node[]>(size)) {
    for (std::size_t i = size; i != 0; --i) put_back(nodes_[i - 1]);
  }

  // Null when all nodes are in use. For the taker.
  [[nodiscard]] Node* try_take() noexcept {
    if (Sync::read(at_hand_) == nullptr) {
      // Look before leaping: while nothing is there, the line stays with those who give back.
      if (given_back_.load(std::memory_order_relaxed) == nullptr) return nullptr;
      Sync::write(at_hand_) = given_back_.exchange(nullptr, std::memory_order_acquire);
    }
    Node* const node = Sync::read(at_hand_);
    Sync::write(at_hand_) = Sync::read(node->next);
    return node;
  }

  // Undoes the last take. For the taker.
  void put_back(Node& node) noexcept {
    Sync::write(node.next) = Sync::read(at_hand_);
    Sync::write(at_hand_) = &node;
  }

  // For the node's owner, whoever that is.
  void give_back(Node& node) noexcept {
    Node* top = given_back_.load(std::memory_order_relaxed);
    do {
      Sync::write(node.next) = top;
      // Release: the taker may write to the node. Those below it are handed on, because the
      // exchange continues the chain of their own.
    } while (!given_back_.compare_exchange_weak(top, &node, std::memory_order_release));
  }

 private:
  const std::unique_ptr<Node[]> nodes_;
  alignas(base::kCacheLine) typename Sync::template Plain<Node*> at_hand_{nullptr};
  alignas(base::kCacheLine) typename Sync::template Atomic<Node*> given_back_{nullptr};
};

}  // namespace penstock::queue
