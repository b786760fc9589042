#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "penstock/base/cache_line.hpp"
#include "penstock/base/check.hpp"
#include "penstock/base/sync.hpp"
#include "penstock/queue/bounded_mpmc.hpp"
#include "penstock/queue/keyed_queue.hpp"
#include "penstock/queue/node_pool.hpp"
#include "penstock/queue/queueable.hpp"
#include "penstock/queue/role_flag.hpp"

namespace penstock::queue {

// A queue for each partition, a master queue of partition numbers in the order of arrival, and a
// counter for each partition (P8; Prasaad et al. 2018, §4.3). Work is taken almost in the order of
// arrival, so the outputs hardly wait for each other, and a hot partition keeps one worker busy
// instead of holding up a queue full of others.
//
// Who takes a partition's number out of the master queue adds one to its counter. Found at zero,
// the partition is taken: its holder works until the counter is back at zero. Otherwise the item
// is left to the holder. So the counter is the exclusive claim, the number of items that the
// holder must still do, and the proof that they are there: each was linked in before its number
// went into the master queue, and everything is handed on from there by the counter. The partition
// queues themselves therefore need no atomics.
//
// A holder finishes what it is given (A29), also when that never ends: handing a partition over by
// its number at the back of the master queue would let later items overtake it, and all workers
// could be waiting for room in the reorder buffer behind it.
//
// The items of all partitions share one pool, so a single hot one can use all of the capacity.
template <Queueable T, base::SyncPolicy Sync = base::RealSync>
class HybridQueue {
  using Pool = NodePool<T, Sync>;
  using Node = typename Pool::Node;
  using Role = typename RoleFlag<Sync>::Held;

 public:
  using Item = T;
  static constexpr std::size_t kPartitions = 100;

  class Producer {
   public:
    // Moves from `item` only on success. A refusal can be momentary.
    [[nodiscard]] bool try_push(std::size_t partition, T& item) noexcept {
      return queue_->try_push(partition, item);
    }

   private:
    friend HybridQueue;
    Producer(HybridQueue& queue, Role role) noexcept : queue_(&queue), role_(std::move(role)) {}

    HybridQueue* queue_;
    Role role_;
  };

  explicit HybridQueue(std::size_t capacity, std::size_t partitions = kPartitions)
      : capacity_(std::max<std::size_t>(capacity, 1)),
        count_(std::max<std::size_t>(partitions, 1)),
        // A partition keeps the node of the last item that was taken, to find the next one by.
        pool_(capacity_ + count_),
        partitions_(std::make_unique<Partition[]>(count_)),
        master_(capacity_) {
    for (std::size_t i = 0; i < count_; ++i) {
      Node* const first = pool_.try_take();
      Sync::write(partitions_[i].last) = first;
      Sync::write(partitions_[i].taken) = first;
    }
  }

  // Empty when another thread is already producing.
  [[nodiscard]] std::optional<Producer> try_produce() noexcept {
    auto role = producing_.try_take();
    return role ? std::optional(Producer(*this, std::move(role))) : std::nullopt;
  }

  template <ItemWorker<T> Work>
  [[nodiscard]] bool try_work(std::size_t /*start*/, const Work& work) noexcept {
    const auto number = master_.try_pop();
    if (!number) return false;
    Partition& partition = partitions_[*number];
    // Acquire and release: the holder sees the item, the next holder what this one did.
    if (partition.due.fetch_add(1, std::memory_order_acq_rel) != 0) return true;
    do {
      work(*number, take_next(partition));
    } while (has_more(partition));
    return true;
  }

  [[nodiscard]] std::size_t partitions() const noexcept { return count_; }
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }

 private:
  struct alignas(base::kCacheLine) Partition {
    typename Sync::template Atomic<std::size_t> due{0};   // of the holder, its current included
    typename Sync::template Plain<Node*> taken{nullptr};  // of the holder
    alignas(base::kCacheLine)
        typename Sync::template Plain<Node*> last{nullptr};  // of the producer
  };

  [[nodiscard]] bool try_push(std::size_t number, T& item) noexcept {
    PENSTOCK_CHECK(number < count_, "An item's partition must be one of the queue's.");
    Node* const node = pool_.try_take();
    if (node == nullptr) return false;
    Sync::write(node->item) = std::move(item);
    Partition& partition = partitions_[number];
    Sync::write(Sync::read(partition.last)->next) = node;
    if (!master_.try_push(number)) {
      // Nobody has heard of the node yet.
      item = std::exchange(Sync::write(node->item), T{});
      pool_.put_back(*node);
      return false;
    }
    Sync::write(partition.last) = node;
    return true;
  }

  [[nodiscard]] T take_next(Partition& partition) noexcept {
    Node* const done = Sync::read(partition.taken);
    Node* const next = Sync::read(done->next);
    Sync::write(partition.taken) = next;
    pool_.give_back(*done);
    return std::exchange(Sync::write(next->item), T{});
  }

  // Ends the item that was worked on.
  [[nodiscard]] bool has_more(Partition& partition) noexcept {
    return partition.due.fetch_sub(1, std::memory_order_acq_rel) > 1;
  }

  const std::size_t capacity_;
  const std::size_t count_;
  Pool pool_;
  const std::unique_ptr<Partition[]> partitions_;
  BoundedMpmc<std::size_t, Sync> master_;
  alignas(base::kCacheLine) RoleFlag<Sync> producing_;
};

static_assert(KeyedQueue<HybridQueue<int>>);

}  // namespace penstock::queue
