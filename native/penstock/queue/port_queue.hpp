#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include "penstock/base/cache_line.hpp"
#include "penstock/base/check.hpp"
#include "penstock/base/sync.hpp"
#include "penstock/queue/queueable.hpp"
#include "penstock/queue/role_flag.hpp"

namespace penstock::queue {

// The inbound queue of an operator port: a single-producer/single-consumer ring that any
// number of threads may approach, kept single by two role flags instead of a lock
// (Schneider & Wu 2017, §4.1.1 and §4.1.5).
//
// A thread that finds a role taken is turned away at once. Nobody waits: a taken role means
// the port is already making progress, so the thread is more useful at another port.
//
// Handing a role over also hands over the plain fields of that side, because giving it back
// releases them and taking it acquires them. The ring therefore costs no more than any SPSC
// ring: one release store per run of items, and a look at the other side only when it seems
// full or empty. Nothing is allocated after construction.
template <Queueable T, base::SyncPolicy Sync = base::RealSync>
class PortQueue {
  template <typename Field>
  using Plain = typename Sync::template Plain<Field>;

  // Everything one side writes, alone on its cache line.
  struct alignas(base::kCacheLine) Side {
    RoleFlag<Sync> role;
    typename Sync::template Atomic<std::size_t> moved{0};  // ever; only differences matter
    Plain<std::size_t> other_moved_seen{0};
  };
  using Role = typename RoleFlag<Sync>::Held;

 public:
  // What lies in the ring: T itself on real threads. Reached by Sync::read and Sync::write.
  using Slot = Plain<T>;
  static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

  class Producer {
   public:
    // Moves from `item` only on success, so a refused item can still be run inline.
    [[nodiscard]] bool try_push(T& item) noexcept { return push_some({&item, 1}) == 1; }

    // Moves as many items as fit, from the front, and publishes them together. Returns how many.
    [[nodiscard]] std::size_t push_some(std::span<T> items) noexcept {
      const auto tail = queue_->tail_.moved.load(std::memory_order_relaxed);
      const auto count = std::min(items.size(), room(tail, items.size()));
      if (count == 0) return 0;
      for (std::size_t i = 0; i < count; ++i) {
        Sync::write(queue_->slot(tail + i)) = std::move(items[i]);
      }
      publish(tail + count);
      return count;
    }

    // Free slots to fill in place, at most `most` and at most up to the end of the ring: empty
    // when the queue is full. Nothing is visible to the consumer before commit().
    [[nodiscard]] std::span<Slot> reserve(std::size_t most = kAll) noexcept {
      const auto tail = queue_->tail_.moved.load(std::memory_order_relaxed);
      return queue_->run(tail, std::min(most, room(tail, most)));
    }

    // Publishes the first `count` slots of the last reserve().
    void commit(std::size_t count) noexcept {
      const auto tail = queue_->tail_.moved.load(std::memory_order_relaxed);
      PENSTOCK_CHECK(
          count <= queue_->capacity() - (tail - Sync::read(queue_->tail_.other_moved_seen)),
          "A producer can commit only slots that it reserved.");
      if (count != 0) publish(tail + count);
    }

   private:
    friend PortQueue;
    Producer(PortQueue& queue, Role role) noexcept : queue_(&queue), role_(std::move(role)) {}

    // Free slots; looks at the consumer's side only when fewer than `wanted` are known.
    std::size_t room(std::size_t tail, std::size_t wanted) noexcept {
      const auto capacity = queue_->capacity();
      auto& seen = Sync::write(queue_->tail_.other_moved_seen);
      if (capacity - (tail - seen) < std::min(wanted, capacity)) {
        seen = queue_->head_.moved.load(std::memory_order_acquire);
      }
      return capacity - (tail - seen);
    }

    void publish(std::size_t tail) noexcept {
      queue_->tail_.moved.store(tail, std::memory_order_release);
    }

    PortQueue* queue_;
    Role role_;
  };

  class Consumer {
   public:
    [[nodiscard]] std::optional<T> try_pop() noexcept {
      const auto items = front_run(1);
      if (items.empty()) return std::nullopt;
      std::optional<T> item = std::move(Sync::write(items.front()));
      release(1);
      return item;
    }

    // Waiting items to work on in place, oldest first, at most `most` and at most up to the end
    // of the ring: empty when the queue is. They stay in the queue until release().
    [[nodiscard]] std::span<Slot> front_run(std::size_t most = kAll) noexcept {
      const auto head = queue_->head_.moved.load(std::memory_order_relaxed);
      auto& seen = Sync::write(queue_->head_.other_moved_seen);
      if (seen == head) seen = queue_->tail_.moved.load(std::memory_order_acquire);
      return queue_->run(head, std::min(most, seen - head));
    }

    // Gives the first `count` slots of the last front_run() back to the producer, all at once.
    void release(std::size_t count) noexcept {
      const auto head = queue_->head_.moved.load(std::memory_order_relaxed);
      PENSTOCK_CHECK(count <= Sync::read(queue_->head_.other_moved_seen) - head,
                     "A consumer can release only items that it was shown.");
      if (count == 0) return;
      if constexpr (!std::is_trivially_destructible_v<T>) {
        // Empty the slots now: a batch left in one would pin Arrow buffers until the ring wraps.
        for (std::size_t i = 0; i < count; ++i) Sync::write(queue_->slot(head + i)) = T{};
      }
      queue_->head_.moved.store(head + count, std::memory_order_release);
    }

   private:
    friend PortQueue;
    Consumer(PortQueue& queue, Role role) noexcept : queue_(&queue), role_(std::move(role)) {}

    PortQueue* queue_;
    Role role_;
  };

  // Capacity is rounded up to a power of two, which makes wrapping a mask.
  explicit PortQueue(std::size_t min_capacity)
      : mask_(std::bit_ceil(min_capacity) - 1), slots_(std::make_unique<Slot[]>(capacity())) {}

  // Empty when another thread is already producing into, or consuming from, this port.
  [[nodiscard]] std::optional<Producer> try_produce() noexcept {
    auto role = tail_.role.try_take();
    return role ? std::optional(Producer(*this, std::move(role))) : std::nullopt;
  }
  [[nodiscard]] std::optional<Consumer> try_consume() noexcept {
    auto role = head_.role.try_take();
    return role ? std::optional(Consumer(*this, std::move(role))) : std::nullopt;
  }

  [[nodiscard]] std::size_t capacity() const noexcept { return mask_ + 1; }

  // Stale before it returns: for policies and metrics, never a precondition.
  [[nodiscard]] std::size_t size_hint() const noexcept {
    // Head first, so the difference cannot go below zero; clamped, because the tail may
    // have run ahead between the two looks.
    const auto head = head_.moved.load(std::memory_order_acquire);
    return std::min(tail_.moved.load(std::memory_order_acquire) - head, capacity());
  }
  // Items that were ever taken out; exact for the consumer.
  [[nodiscard]] std::size_t taken_hint() const noexcept {
    return head_.moved.load(std::memory_order_relaxed);
  }

 private:
  Slot& slot(std::size_t position) noexcept { return slots_[position & mask_]; }

  std::span<Slot> run(std::size_t position, std::size_t length) noexcept {
    const auto first = position & mask_;
    return {slots_.get() + first, std::min(length, capacity() - first)};
  }

  const std::size_t mask_;
  const std::unique_ptr<Slot[]> slots_;
  Side tail_;
  Side head_;
};

}  // namespace penstock::queue
