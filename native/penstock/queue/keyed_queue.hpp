#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace penstock::queue {

// What a worker does with an item; it may not throw, because others wait for the partition.
template <typename Work, typename Item>
concept ItemWorker = std::is_nothrow_invocable_v<const Work&, std::size_t, Item&&>;

// The worklist of a keyed operator (Prasaad et al. 2018, §4): items of one partition are worked on
// one at a time and in the order in which they were pushed, those of different partitions by
// different workers.
//
//   try_produce()        the role of the producer, empty while another thread has it. Whoever holds
//                        it numbers items and pushes them, which must be one step (A30).
//   try_push(part, item) of the producer; false, and the item stays, when there is no room.
//   try_work(start, work) calls `work(partition, item)` for at least one item, or leaves an item to
//                        the worker that is busy with its partition. False when there was nothing
//                        to do. `start` is the partition to look at first, where that matters.
//
// A worker may be stopped between two calls of try_work() and nowhere else: what it has begun or
// was given by others would otherwise stay undone (A29, X2).
template <typename Queue>
concept KeyedQueue = requires(Queue& queue, std::size_t number, typename Queue::Item& item,
                              void (*work)(std::size_t, typename Queue::Item&&) noexcept) {
  { queue.try_produce()->try_push(number, item) } noexcept -> std::same_as<bool>;
  { queue.try_work(number, work) } noexcept -> std::same_as<bool>;
  { queue.partitions() } noexcept -> std::same_as<std::size_t>;
};

}  // namespace penstock::queue
