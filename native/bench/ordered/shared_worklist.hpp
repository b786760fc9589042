#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include "penstock/queue/bounded_mpmc.hpp"
#include "penstock/queue/keyed_queue.hpp"
#include "penstock/queue/queueable.hpp"
#include "penstock/queue/role_flag.hpp"

#include "bench/workload/item.hpp"

namespace penstock::bench::ordered {

// The worklist of an operator without state (P9): one queue for all workers, any of which may
// work on any tuple. In the form of a keyed queue, so that one crew can serve both.
template <queue::Queueable T>
class SharedListOf {
 public:
  using Item = T;

  class Producer {
   public:
    [[nodiscard]] bool try_push(std::size_t /*partition*/, Item& item) noexcept {
      return list_->items_.try_push(item);
    }

   private:
    friend SharedListOf;
    Producer(SharedListOf& list, queue::RoleFlag<>::Held role) noexcept
        : list_(&list), role_(std::move(role)) {}

    SharedListOf* list_;
    queue::RoleFlag<>::Held role_;
  };

  explicit SharedListOf(std::size_t capacity) : items_(capacity) {}

  [[nodiscard]] std::optional<Producer> try_produce() noexcept {
    auto role = producing_.try_take();
    return role ? std::optional(Producer(*this, std::move(role))) : std::nullopt;
  }

  template <queue::ItemWorker<Item> Work>
  [[nodiscard]] bool try_work(std::size_t /*start*/, const Work& work) noexcept {
    auto item = items_.try_pop();
    if (!item) return false;
    work(0, std::move(*item));
    return true;
  }

  [[nodiscard]] std::size_t partitions() const noexcept { return 1; }

 private:
  queue::BoundedMpmc<Item> items_;
  queue::RoleFlag<> producing_;
};

using SharedWorklist = SharedListOf<Item>;

static_assert(queue::KeyedQueue<SharedWorklist>);

}  // namespace penstock::bench::ordered
