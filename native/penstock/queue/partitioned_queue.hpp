#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "penstock/base/cache_line.hpp"
#include "penstock/base/check.hpp"
#include "penstock/base/sync.hpp"
#include "penstock/queue/keyed_queue.hpp"
#include "penstock/queue/port_queue.hpp"
#include "penstock/queue/queueable.hpp"
#include "penstock/queue/role_flag.hpp"

namespace penstock::queue {

// A queue for each partition and nothing else, against which HybridQueue is measured (P8; Prasaad
// et al. 2018, §4.2). Made for as many partitions as there are workers: each starts to look at its
// own, and goes to one that nobody is at when that is empty.
//
// With more partitions than workers, the next item in order may lie where nobody looks. Number
// items only while they are inside the reorder buffer's window then, or all workers could wait
// for room there (X2).
template <Queueable T, base::SyncPolicy Sync = base::RealSync>
class PartitionedQueue {
  using Port = PortQueue<T, Sync>;
  using Role = typename RoleFlag<Sync>::Held;

 public:
  using Item = T;
  static constexpr std::size_t kVisit = 64;

  class Producer {
   public:
    // Moves from `item` only on success.
    [[nodiscard]] bool try_push(std::size_t partition, T& item) noexcept {
      PENSTOCK_CHECK(partition < queue_->partitions(),
                     "An item's partition must be one of the queue's.");
      // Always granted: whoever produces anywhere holds the role of the whole queue.
      return queue_->ports_[partition]->try_produce()->try_push(item);
    }

   private:
    friend PartitionedQueue;
    Producer(PartitionedQueue& queue, Role role) noexcept
        : queue_(&queue), role_(std::move(role)) {}

    PartitionedQueue* queue_;
    Role role_;
  };

  // `capacity` is that of each partition; a visit ends after `visit` items.
  PartitionedQueue(std::size_t capacity, std::size_t partitions, std::size_t visit = kVisit)
      : visit_(std::max<std::size_t>(visit, 1)) {
    for (std::size_t i = 0; i < std::max<std::size_t>(partitions, 1); ++i) {
      ports_.push_back(std::make_unique<Port>(capacity));
    }
  }

  // Empty when another thread is already producing.
  [[nodiscard]] std::optional<Producer> try_produce() noexcept {
    auto role = producing_.try_take();
    return role ? std::optional(Producer(*this, std::move(role))) : std::nullopt;
  }

  template <ItemWorker<T> Work>
  [[nodiscard]] bool try_work(std::size_t start, const Work& work) noexcept {
    for (std::size_t step = 0; step < ports_.size(); ++step) {
      if (visit((start + step) % ports_.size(), work)) return true;
    }
    return false;
  }

  [[nodiscard]] std::size_t partitions() const noexcept { return ports_.size(); }

 private:
  template <typename Work>
  bool visit(std::size_t partition, const Work& work) noexcept {
    auto consumer = ports_[partition]->try_consume();
    if (!consumer) return false;
    std::size_t done = 0;
    while (done < visit_) {
      auto item = consumer->try_pop();
      if (!item) break;
      work(partition, std::move(*item));
      ++done;
    }
    return done != 0;
  }

  const std::size_t visit_;
  std::vector<std::unique_ptr<Port>> ports_;
  alignas(base::kCacheLine) RoleFlag<Sync> producing_;
};

static_assert(KeyedQueue<PartitionedQueue<int>>);

}  // namespace penstock::queue
