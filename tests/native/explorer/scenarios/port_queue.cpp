// The port queue: every item arrives once and in order, whoever holds the roles.

#include "penstock/queue/port_queue.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "explorer/mutant.hpp"
#include "explorer/scenario.hpp"

namespace penstock::explorer {
namespace {

using NoRelease = Mutant<SimSync, {.no_release = true}>;
using NoAcquire = Mutant<SimSync, {.no_acquire = true}>;
using NeverRefuses = Mutant<SimSync, {.deaf_flags = true}>;

// Owns memory, so a slot that is not emptied, or emptied twice, shows under the sanitizers too.
using Item = std::unique_ptr<int>;

template <typename Sync, std::size_t kCapacity>
void single_items_arrive_in_order() {
  constexpr int kItems = 6;
  queue::PortQueue<Item, Sync> port(kCapacity);
  Crew crew;
  crew.add("producer", [&] {
    auto producer = port.try_produce();
    for (int i = 0; i < kItems; ++i) {
      auto item = std::make_unique<int>(i);
      while (!producer->try_push(item)) Sync::yield();
    }
  });
  crew.add("consumer", [&] {
    auto consumer = port.try_consume();
    for (int i = 0; i < kItems;) {
      if (const auto item = consumer->try_pop()) {
        expect(**item == i++, "items arrive in order");
      } else {
        Sync::yield();
      }
    }
    expect(!consumer->try_pop(), "nothing arrives twice");
  });
}

template <typename Sync>
void runs_arrive_in_order() {
  constexpr std::size_t kItems = 10;
  queue::PortQueue<int, Sync> port(4);
  Crew crew;
  crew.add("producer", [&] {
    auto producer = port.try_produce();
    std::array<int, kItems> items{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    std::span<int> left(items);
    while (!left.empty()) {
      const auto pushed = producer->push_some(left.first(left.size() < 3 ? left.size() : 3));
      left = left.subspan(pushed);
      if (pushed == 0) Sync::yield();
    }
  });
  crew.add("consumer", [&] {
    auto consumer = port.try_consume();
    for (int next = 0; next < static_cast<int>(kItems);) {
      const auto items = consumer->front_run();
      for (auto& item : items) expect(Sync::read(item) == next++, "items arrive in order");
      consumer->release(items.size());
      if (items.empty()) Sync::yield();
    }
  });
}

enum class Fault { kNone, kCommitsFirst, kReleasesFirst };

template <typename Sync, Fault kFault = Fault::kNone>
void items_are_made_and_used_in_place() {
  constexpr int kItems = 6;
  queue::PortQueue<int, Sync> port(2);
  Crew crew;
  crew.add("producer", [&] {
    auto producer = port.try_produce();
    for (int next = 0; next < kItems;) {
      const auto slots = producer->reserve();
      if (kFault == Fault::kCommitsFirst) producer->commit(slots.size());
      for (auto& slot : slots) Sync::write(slot) = next++;
      if (kFault != Fault::kCommitsFirst) producer->commit(slots.size());
      if (slots.empty()) Sync::yield();
    }
  });
  crew.add("consumer", [&] {
    auto consumer = port.try_consume();
    for (int next = 0; next < kItems;) {
      const auto items = consumer->front_run(1);
      if (kFault == Fault::kReleasesFirst) consumer->release(items.size());
      for (auto& item : items) expect(Sync::read(item) == next++, "items arrive in order");
      if (kFault != Fault::kReleasesFirst) consumer->release(items.size());
      if (items.empty()) Sync::yield();
    }
  });
}

// Three threads produce and consume whenever they get a role. What is numbered and checked under
// a role is plain, so it is also the roles that are tested.
template <typename Sync, std::size_t kCapacity>
void roles_are_handed_over() {
  constexpr int kItems = 4;
  queue::PortQueue<int, Sync> port(kCapacity);
  typename Sync::template Plain<int> next_in{0};
  typename Sync::template Plain<int> next_out{0};
  typename Sync::template Atomic<int> arrived{0};
  Crew crew;
  for (const char* name : {"a", "b", "c"}) {
    crew.add(name, [&] {
      while (arrived.load(std::memory_order_relaxed) < kItems) {
        if (auto producer = port.try_produce()) {
          int item = Sync::read(next_in);
          if (item < kItems && producer->try_push(item)) ++Sync::write(next_in);
        }
        if (auto consumer = port.try_consume()) {
          if (const auto item = consumer->try_pop()) {
            expect(*item == Sync::write(next_out)++, "items arrive in order");
            arrived.fetch_add(1, std::memory_order_relaxed);
          }
        }
        Sync::yield();
      }
    });
  }
  crew.join();
  expect(arrived.load(std::memory_order_relaxed) == kItems, "items arrive once");
}

const Registered kSingle({
    .name = "port_queue.single",
    .body = single_items_arrive_in_order<SimSync, 2>,
    .mutants = {{"no release", single_items_arrive_in_order<NoRelease, 2>},
                {"no acquire", single_items_arrive_in_order<NoAcquire, 2>}},
});
const Registered kCapacityOne({
    .name = "port_queue.capacity_one",
    .body = single_items_arrive_in_order<SimSync, 1>,
    .mutants = {{"no release", single_items_arrive_in_order<NoRelease, 1>},
                {"no acquire", single_items_arrive_in_order<NoAcquire, 1>}},
});
const Registered kRuns({
    .name = "port_queue.runs",
    .body = runs_arrive_in_order<SimSync>,
    .mutants = {{"no release", runs_arrive_in_order<NoRelease>},
                {"no acquire", runs_arrive_in_order<NoAcquire>}},
});
const Registered kInPlace({
    .name = "port_queue.in_place",
    .body = items_are_made_and_used_in_place<SimSync>,
    .mutants = {{"no release", items_are_made_and_used_in_place<NoRelease>},
                {"commits before it writes",
                 items_are_made_and_used_in_place<SimSync, Fault::kCommitsFirst>},
                {"releases before it reads",
                 items_are_made_and_used_in_place<SimSync, Fault::kReleasesFirst>}},
});
const Registered kHandOver({
    .name = "port_queue.hand_over",
    .body = roles_are_handed_over<SimSync, 2>,
    .mutants = {{"never refuses", roles_are_handed_over<NeverRefuses, 2>},
                {"no release", roles_are_handed_over<NoRelease, 2>},
                {"no acquire", roles_are_handed_over<NoAcquire, 2>}},
});
const Registered kHandOverOne({
    .name = "port_queue.hand_over_one",
    .body = roles_are_handed_over<SimSync, 1>,
    .mutants = {{"never refuses", roles_are_handed_over<NeverRefuses, 1>}},
});

}  // namespace
}  // namespace penstock::explorer
