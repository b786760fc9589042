// What tuples and runs pass on their way asks for memory once, when it is made, and never again.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <gtest/gtest.h>
#include <memory>
#include <new>
#include <span>
#include <utility>

#include "penstock/queue/baton_ring.hpp"
#include "penstock/queue/bounded_mpmc.hpp"
#include "penstock/queue/port_queue.hpp"

namespace {

thread_local long allocations = 0;

void* allocate(std::size_t size, std::size_t alignment) {
  ++allocations;
  const std::size_t padded = (size / alignment + 1) * alignment;
  void* const made = std::aligned_alloc(alignment, padded);
  if (made == nullptr) throw std::bad_alloc();
  return made;
}

}  // namespace

// Not inlined, or the compiler sees what a new expression gets freed as something else.
[[gnu::noinline]] void* operator new(std::size_t size) {
  return allocate(size, alignof(std::max_align_t));
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t /*size*/) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t /*size*/,
                                       std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}

namespace penstock::queue {
namespace {

constexpr std::size_t kCapacity = 8;
constexpr int kRounds = 1000;

// How often `work` asks for memory.
template <typename Work>
[[nodiscard]] long allocations_in(Work work) {
  const long before = allocations;
  work();
  return allocations - before;
}

TEST(NoAllocation, an_allocation_is_noticed) {
  // Kept outside, or the compiler may leave out what nobody uses.
  std::unique_ptr<int> kept;
  EXPECT_EQ(allocations_in([&] { kept = std::make_unique<int>(1); }), 1);
  EXPECT_GT(allocations_in([] { static_cast<void>(PortQueue<int>(kCapacity)); }), 0)
      << "the ring itself";
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
