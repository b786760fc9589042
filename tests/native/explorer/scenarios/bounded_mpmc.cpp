// The free list: every item comes out once, and items of one producer in their order.

#include "penstock/queue/bounded_mpmc.hpp"

#include <array>
#include <cstddef>

#include "explorer/mutant.hpp"
#include "explorer/scenario.hpp"

namespace penstock::explorer {
namespace {

using NoRelease = Mutant<SimSync, {.no_release = true}>;
using NoAcquire = Mutant<SimSync, {.no_acquire = true}>;
using TornUpdates = Mutant<SimSync, {.torn_updates = true}>;

template <typename Sync, std::size_t kCapacity>
void every_item_comes_out_once() {
  constexpr int kEach = 2;
  queue::BoundedMpmc<int, Sync> list(kCapacity);
  std::array<int, 2 * kEach> seen{};
  typename Sync::template Atomic<int> out{0};
  Crew crew;
  for (const int producer : {0, 1}) {
    crew.add(producer == 0 ? "producer 0" : "producer 1", [&, producer] {
      for (int i = 0; i < kEach; ++i) {
        int item = producer * kEach + i;
        while (!list.try_push(item)) Sync::yield();
      }
    });
  }
  for (const char* name : {"consumer 0", "consumer 1"}) {
    crew.add(name, [&] {
      std::array<int, 2> last{-1, -1};
      while (out.load(std::memory_order_relaxed) < 2 * kEach) {
        const auto item = list.try_pop();
        if (!item) {
          Sync::yield();
          continue;
        }
        auto& previous = last[static_cast<std::size_t>(*item / kEach)];
        expect(*item > previous, "items of one producer keep their order");
        previous = *item;
        expect(++seen[static_cast<std::size_t>(*item)] == 1, "no item comes out twice");
        out.fetch_add(1, std::memory_order_relaxed);
      }
    });
  }
  crew.join();
  expect(!list.try_pop(), "the list is empty at the end");
}

// Workers pop a port and push it back, as a scheduler does. The list is never full then, so a
// push may only be refused for a moment.
template <typename Sync>
void ports_circulate() {
  constexpr int kRounds = 2;
  queue::BoundedMpmc<int, Sync> list(2);
  for (int port : {0, 1}) expect(list.try_push(port), "the list has room for all ports");
  std::array<typename Sync::template Plain<int>, 2> runs;
  Crew crew;
  for (const char* name : {"a", "b", "c"}) {
    crew.add(name, [&] {
      for (int round = 0; round < kRounds;) {
        auto port = list.try_pop();
        if (!port) {
          Sync::yield();
          continue;
        }
        ++Sync::write(runs[static_cast<std::size_t>(*port)]);
        while (!list.try_push(*port)) Sync::yield();
        ++round;
      }
    });
  }
  crew.join();
  expect(Sync::read(runs[0]) + Sync::read(runs[1]) == 3 * kRounds, "every run counts");
}

const Registered kTwo({
    .name = "bounded_mpmc.two_slots",
    .body = every_item_comes_out_once<SimSync, 2>,
    .mutants = {{"no release", every_item_comes_out_once<NoRelease, 2>},
                {"no acquire", every_item_comes_out_once<NoAcquire, 2>},
                {"torn updates", every_item_comes_out_once<TornUpdates, 2>}},
});
const Registered kOne({
    .name = "bounded_mpmc.one_slot",
    .body = every_item_comes_out_once<SimSync, 1>,
    .mutants = {{"no release", every_item_comes_out_once<NoRelease, 1>}},
});
const Registered kCirculate({
    .name = "bounded_mpmc.ports_circulate",
    .body = ports_circulate<SimSync>,
    .mutants = {{"no release", ports_circulate<NoRelease>},
                {"no acquire", ports_circulate<NoAcquire>}},
});

}  // namespace
}  // namespace penstock::explorer
