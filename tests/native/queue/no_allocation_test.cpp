// What tuples and runs pass on their way asks for memory once, when it is made, and never again.
#include <array>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <span>
#include <utility>

#include "penstock/queue/baton_ring.hpp"
#include "penstock/queue/bounded_mpmc.hpp"
#include "penstock/queue/port_queue.hpp"

#include "support/replaced_new.hpp"

namespace penstock::queue {
namespace {

thread_local long allocations = 0;

constexpr std::size_t kCapacity = 8;
constexpr int kRounds = 1000;

// How often `work` asks for memory.
template <typename Work>
[[nodiscard]] long allocations_in(Work work) {
  allocations = 0;
  support::before_allocation = [] { ++allocations; };
  work();
  support::before_allocation = nullptr;
  return allocations;
}

TEST(NoAllocation, an_allocation_is_noticed) {
  // Kept outside, or the compiler may leave out what nobody uses.
  std::unique_ptr<int> kept;
  EXPECT_EQ(allocations_in([&] { kept = std::make_unique<int>(1); }), 1);
  std::unique_ptr<PortQueue<int>> port;
  EXPECT_GT(allocations_in([&] { port = std::make_unique<PortQueue<int>>(kCapacity); }), 1)
      << "the port and its ring";
}

TEST(NoAllocation, items_pass_a_port_one_by_one_and_in_batches) {
  PortQueue<std::uint64_t> port(kCapacity);
  std::uint64_t sum = 0;
  EXPECT_EQ(allocations_in([&] {
              for (int round = 0; round < kRounds; ++round) {
                auto producer = *port.try_produce();
                auto consumer = *port.try_consume();
                std::uint64_t item = 1;
                static_cast<void>(producer.try_push(item));
                std::array<std::uint64_t, kCapacity> batch{};
                batch.fill(1);
                static_cast<void>(producer.push_some(batch));
                sum += *consumer.try_pop();
                const auto items = consumer.front_run();
                sum += items.size();
                consumer.release(items.size());
              }
            }),
            0);
  EXPECT_GE(sum, 2ULL * kRounds) << "something did pass";
}

TEST(NoAllocation, ports_go_into_the_free_list_and_come_out) {
  BoundedMpmc<int> list(kCapacity);
  int popped = 0;
  EXPECT_EQ(allocations_in([&] {
              for (int round = 0; round < kRounds; ++round) {
                for (int item = 0; list.try_push(item); ++item) {
                }
                while (list.try_pop()) ++popped;
              }
            }),
            0);
  EXPECT_EQ(popped, kRounds * static_cast<int>(list.capacity()));
}

struct Numbered {
  std::uint64_t serial = 0;
};

TEST(NoAllocation, runs_pass_a_baton_in_turn_and_out_of_turn) {
  BatonRing<Numbered> ring(kCapacity);
  Numbered early;
  Numbered late;
  int handed_over = 0;
  EXPECT_EQ(allocations_in([&] {
              for (std::uint64_t serial = 0; serial < kRounds; serial += 2) {
                late.serial = serial + 1;
                early.serial = serial;
                static_cast<void>(ring.arrive(late, late.serial));
                static_cast<void>(ring.arrive(early, early.serial));
                handed_over += ring.depart(early.serial) == &late ? 1 : 0;
                static_cast<void>(ring.depart(late.serial));
              }
            }),
            0);
  EXPECT_EQ(handed_over, kRounds / 2);
}

}  // namespace
}  // namespace penstock::queue
