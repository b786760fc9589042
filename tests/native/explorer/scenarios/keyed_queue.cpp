// The worklists of keyed operators: each partition in order, one worker at a time, nothing left
// behind, and no worker that waits for another which waits for it (A29, A30, X2).

#include "penstock/queue/keyed_queue.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

#include "penstock/queue/hybrid_queue.hpp"
#include "penstock/queue/partitioned_queue.hpp"
#include "penstock/queue/reorder_buffer.hpp"

#include "explorer/mutant.hpp"
#include "explorer/scenario.hpp"

namespace penstock::explorer {
namespace {

using NoRelease = Mutant<SimSync, {.no_release = true}>;
using NoAcquire = Mutant<SimSync, {.no_acquire = true}>;
using TornUpdates = Mutant<SimSync, {.torn_updates = true}>;
using NeverRefuses = Mutant<SimSync, {.deaf_flags = true}>;

// One member function each is replaced by a faulty one; everything else is what is shipped.
struct LeavesWhatItWasGiven : SimSync {};
struct HandsOverAtTheBack : SimSync {};
struct LinksWhatWasRefused : SimSync {};

template <typename Sync>
using SimHybrid = queue::HybridQueue<std::uint64_t, Sync>;
template <typename Sync>
using SimPartitioned = queue::PartitionedQueue<std::uint64_t, Sync>;

}  // namespace
}  // namespace penstock::explorer

namespace penstock::queue {

template <>
bool explorer::SimHybrid<explorer::LeavesWhatItWasGiven>::has_more(Partition& partition) noexcept {
  partition.due.store(0, std::memory_order_release);
  return false;
}

// What A29 warns of: the partition's number goes to the back of the master queue.
template <>
bool explorer::SimHybrid<explorer::HandsOverAtTheBack>::has_more(Partition& partition) noexcept {
  auto number = static_cast<std::size_t>(&partition - partitions_.get());
  for (auto due = partition.due.exchange(0, std::memory_order_acq_rel); due > 1; --due) {
    while (!master_.try_push(number)) explorer::SimSync::yield();
  }
  return false;
}

// The master queue can refuse for a moment although a node is free.
template <>
bool explorer::SimHybrid<explorer::LinksWhatWasRefused>::try_push(std::size_t number,
                                                                  std::uint64_t& item) noexcept {
  using Sync = explorer::LinksWhatWasRefused;
  Node* const node = pool_.try_take();
  if (node == nullptr) return false;
  Sync::write(node->item) = item;
  Sync::write(Sync::read(partitions_[number].last)->next) = node;
  Sync::write(partitions_[number].last) = node;
  return master_.try_push(number);
}

}  // namespace penstock::queue

namespace penstock::explorer {
namespace {

constexpr std::size_t kPartitions = 3;

// Items carry their place in the whole; the worker of a partition knows the last one it saw there.
class Record {
 public:
  explicit Record(std::uint64_t items) : items_(items) {}

  void note(std::size_t partition, std::uint64_t item) {
    auto& next = SimSync::write(next_[partition]);
    expect(item >= next, "a partition's items are worked on once and in order");
    next = item + 1;
    done_.fetch_add(1, std::memory_order_relaxed);
  }
  [[nodiscard]] bool all_done() const { return done_.load(std::memory_order_relaxed) == items_; }

 private:
  const std::uint64_t items_;
  std::array<SimSync::Plain<std::uint64_t>, kPartitions> next_;
  SimSync::Atomic<std::uint64_t> done_{0};
};

// Every worker also produces, when it gets the role, and numbers what it pushes.
template <typename Queue, std::size_t kCapacity>
void all_items_are_worked_on_in_order() {
  constexpr std::uint64_t kItems = 8;
  Queue queue(kCapacity, kPartitions);
  Record record(kItems);
  SimSync::Plain<std::uint64_t> numbers{0};
  Crew crew;
  for (const char* name : {"worker 0", "worker 1"}) {
    crew.add(name, [&] {
      while (!record.all_done()) {
        if (auto producer = queue.try_produce()) {
          auto& number = SimSync::write(numbers);
          for (int i = 0; i < 2 && number < kItems; ++i) {
            auto item = number;
            if (!producer->try_push(item % 3 == 1 ? 1 : 0, item)) break;
            ++number;
          }
        }
        if (!queue.try_work(0, [&record](std::size_t partition, std::uint64_t&& item) noexcept {
              record.note(partition, item);
            })) {
          SimSync::yield();
        }
      }
    });
  }
  crew.join();
}

// One worker is stopped after its first turn, at some moment; the other one can finish alone.
template <typename Sync>
void a_worker_can_stop_between_two_turns() {
  constexpr std::uint64_t kItems = 5;
  SimHybrid<Sync> queue(8, kPartitions);
  Record record(kItems);
  for (std::uint64_t item = 0; item < kItems; ++item) {
    auto pushed = item;
    expect(queue.try_produce()->try_push(item % 2, pushed), "there is room for all");
  }
  const auto work = [&record](std::size_t partition, std::uint64_t&& item) noexcept {
    record.note(partition, item);
  };
  Crew crew;
  crew.add("stopped", [&] { static_cast<void>(queue.try_work(0, work)); });
  crew.add("other", [&] {
    while (!record.all_done()) {
      if (!queue.try_work(0, work)) SimSync::yield();
    }
  });
  crew.join();
}

// Everything is pushed at once, and results leave through a window that is much smaller.
template <typename Sync>
void a_small_window_only_costs_time() {
  constexpr std::uint64_t kItems = 7;
  SimHybrid<Sync> queue(8, kPartitions);
  queue::ReorderBuffer<std::uint64_t, SimSync> reorder(2);
  Record record(kItems);
  SimSync::Plain<std::uint64_t> sent{0};
  const auto send = [&sent](std::uint64_t&& item) noexcept {
    expect(item == SimSync::write(sent)++, "results leave in order");
  };
  for (std::uint64_t item = 0; item < kItems; ++item) {
    auto pushed = item;
    expect(queue.try_produce()->try_push(item < 3 ? 0 : 1 + item % 2, pushed),
           "there is room for all");
  }
  Crew crew;
  for (const char* name : {"worker 0", "worker 1"}) {
    crew.add(name, [&] {
      while (!record.all_done()) {
        if (!queue.try_work(0, [&](std::size_t partition, std::uint64_t&& item) noexcept {
              auto unit = item;
              while (!reorder.try_send(item, unit, send)) SimSync::yield();
              record.note(partition, item);
            })) {
          SimSync::yield();
        }
      }
    });
  }
  crew.join();
  expect(SimSync::read(sent) == kItems, "no result is left behind");
}

const Registered kHybrid({
    .name = "hybrid_queue.order",
    .body = all_items_are_worked_on_in_order<SimHybrid<SimSync>, 3>,
    .mutants = {{"leaves what it was given",
                 all_items_are_worked_on_in_order<SimHybrid<LeavesWhatItWasGiven>, 3>},
                {"links what was refused",
                 all_items_are_worked_on_in_order<SimHybrid<LinksWhatWasRefused>, 3>},
                {"two producers", all_items_are_worked_on_in_order<SimHybrid<NeverRefuses>, 3>},
                {"torn updates", all_items_are_worked_on_in_order<SimHybrid<TornUpdates>, 3>},
                {"no release", all_items_are_worked_on_in_order<SimHybrid<NoRelease>, 3>},
                {"no acquire", all_items_are_worked_on_in_order<SimHybrid<NoAcquire>, 3>}},
});
const Registered kHybridOne({
    .name = "hybrid_queue.capacity_1",
    .body = all_items_are_worked_on_in_order<SimHybrid<SimSync>, 1>,
    .mutants = {{"no release", all_items_are_worked_on_in_order<SimHybrid<NoRelease>, 1>},
                {"no acquire", all_items_are_worked_on_in_order<SimHybrid<NoAcquire>, 1>}},
});
const Registered kHybridStop({
    .name = "hybrid_queue.stop",
    .body = a_worker_can_stop_between_two_turns<SimSync>,
    .mutants = {{"leaves what it was given",
                 a_worker_can_stop_between_two_turns<LeavesWhatItWasGiven>}},
});
const Registered kHybridWindow({
    .name = "hybrid_queue.window_2",
    .body = a_small_window_only_costs_time<SimSync>,
    .mutants = {{"hands over at the back", a_small_window_only_costs_time<HandsOverAtTheBack>},
                {"leaves what it was given", a_small_window_only_costs_time<LeavesWhatItWasGiven>}},
});
const Registered kPartitioned({
    .name = "partitioned_queue.order",
    .body = all_items_are_worked_on_in_order<SimPartitioned<SimSync>, 2>,
    .mutants = {{"two producers",
                 all_items_are_worked_on_in_order<SimPartitioned<NeverRefuses>, 2>},
                {"no release", all_items_are_worked_on_in_order<SimPartitioned<NoRelease>, 2>},
                {"no acquire", all_items_are_worked_on_in_order<SimPartitioned<NoAcquire>, 2>}},
});

}  // namespace
}  // namespace penstock::explorer
