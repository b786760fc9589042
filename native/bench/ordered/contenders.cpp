#include "bench/ordered/contenders.hpp"

#include <algorithm>
#include <array>
#include <type_traits>

#include "penstock/queue/baton_reorder.hpp"
#include "penstock/queue/hybrid_queue.hpp"
#include "penstock/queue/locked_reorder.hpp"
#include "penstock/queue/partitioned_queue.hpp"
#include "penstock/queue/reorder_buffer.hpp"

#include "bench/ordered/crew.hpp"
#include "bench/ordered/shared_worklist.hpp"
#include "bench/workload/steady.hpp"

namespace penstock::bench::ordered {

namespace {

using Hybrid = queue::HybridQueue<Item>;
using Partitioned = queue::PartitionedQueue<Item>;
using NonBlocking = queue::ReorderBuffer<Item>;

class Sequential final : public Contender {
 public:
  explicit Sequential(Job& job) : job_(&job) {}

  Outcome run() override {
    const Task& task = job_->task();
    Outcome outcome{.warm_tuples = task.warm};
    const auto start = steady_ns();
    for (std::uint64_t serial = 0; serial < task.tuples; ++serial) {
      if (serial == task.warm) outcome.warm_at = steady_ns();
      Item item = Job::tuple(serial);
      if (task.timed) item.handed_over = steady_ns();
      job_->work(item);
      if (task.selectivity != 0) job_->send(item);
    }
    outcome.worker_ns = steady_ns() - start;
    return outcome;
  }

 private:
  Job* job_;
};

std::unique_ptr<Contender> make_sequential(Job& job, const Setup& /*setup*/) {
  return std::make_unique<Sequential>(job);
}

template <typename Worklist, typename Scheme, typename MakeWorklist, typename MakeScheme>
std::unique_ptr<Contender> make_crew(Job& job, const Setup& setup, MakeWorklist make_worklist,
                                     MakeScheme make_scheme) {
  return std::make_unique<Crew<Worklist, Scheme>>(job, setup, make_worklist, make_scheme);
}

template <typename Scheme>
std::unique_ptr<Contender> make_shared_crew(Job& job, const Setup& setup) {
  return make_crew<SharedWorklist, Scheme>(
      job, setup, [&] { return SharedWorklist(setup.capacity); },
      [&] {
        if constexpr (std::is_same_v<Scheme, NonBlocking>) {
          return Scheme(setup.window, setup.burst);
        } else {
          return Scheme(setup.window);
        }
      });
}

std::unique_ptr<Contender> make_hybrid(Job& job, const Setup& setup) {
  return make_crew<Hybrid, NonBlocking>(
      job, setup,
      [&] {
        return Hybrid(setup.capacity,
                      setup.partitions == 0 ? Hybrid::kPartitions : setup.partitions);
      },
      [&] { return NonBlocking(setup.window, setup.burst); });
}

std::unique_ptr<Contender> make_partitioned(Job& job, const Setup& setup) {
  const std::size_t partitions =
      setup.partitions == 0 ? static_cast<std::size_t>(setup.workers) : setup.partitions;
  return make_crew<Partitioned, NonBlocking>(
      job, setup,
      [&] {
        return Partitioned(std::max<std::size_t>(setup.capacity / partitions, 1), partitions);
      },
      [&] { return NonBlocking(setup.window, setup.burst); });
}

}  // namespace

std::span<const Entry> contenders() {
  static constexpr std::array kEntries{
      Entry{.name = "sequential", .stateless = true, .keyed = true, .make = make_sequential},
      Entry{.name = "nonblocking",
            .stateless = true,
            .keyed = false,
            .make = make_shared_crew<NonBlocking>},
      Entry{.name = "lock",
            .stateless = true,
            .keyed = false,
            .make = make_shared_crew<queue::LockedReorder<Item>>},
      Entry{.name = "baton",
            .stateless = true,
            .keyed = false,
            .make = make_shared_crew<queue::BatonReorder<Item>>},
      Entry{.name = "hybrid", .stateless = false, .keyed = true, .make = make_hybrid},
      Entry{.name = "partitioned", .stateless = false, .keyed = true, .make = make_partitioned},
  };
  return kEntries;
}

}  // namespace penstock::bench::ordered
