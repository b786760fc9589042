#include "bench/ordered/queries/contenders.hpp"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "penstock/queue/hybrid_queue.hpp"
#include "penstock/queue/locked_reorder.hpp"
#include "penstock/queue/partitioned_queue.hpp"
#include "penstock/queue/reorder_buffer.hpp"

#include "bench/ordered/queries/chain.hpp"
#include "bench/ordered/queries/cost.hpp"
#include "bench/ordered/shared_worklist.hpp"

namespace penstock::bench::queries {

namespace {

using Hybrid = queue::HybridQueue<Row>;
using Partitioned = queue::PartitionedQueue<Row>;
using Shared = ordered::SharedListOf<Row>;
using NonBlocking = queue::ReorderBuffer<Unit>;
using Lock = queue::LockedReorder<Unit>;

class Sequential final : public Runner {
 public:
  Sequential(const Query& query, const Input& input, const Setup& setup, Results& results)
      : steps_(with_cost(query.make_steps(input, 1), setup.cost)),
        source_(input),
        results_(&results) {}

  void run() override {
    for (; !source_.empty(); source_.move_past()) {
      Row row = source_.next();
      carry(0, row);
    }
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      Unit unit;
      if (steps_[i].finish) steps_[i].finish(unit);
      unit.hand_out([this, i](Row& row) { carry(i + 1, row); });
    }
  }

 private:
  // NOLINTNEXTLINE(misc-no-recursion): as deep as there are steps
  void carry(std::size_t index, Row& row) {
    if (index == steps_.size()) {
      results_->take(row);
      return;
    }
    Unit unit;
    run_step(steps_[index], 0, row, unit);
    // NOLINTNEXTLINE(misc-no-recursion)
    unit.hand_out([this, index](Row& each) { carry(index + 1, each); });
  }

  std::vector<Step> steps_;
  Source source_;
  Results* results_;
};

std::unique_ptr<Runner> make_sequential(const Query& query, const Input& input, const Setup& setup,
                                        Results& results) {
  return std::make_unique<Sequential>(query, input, setup, results);
}

// What a station calls with what it sends.
struct PushOn {
  Chain* chain;
  std::size_t next;

  void operator()(std::size_t worker, Row& row) const noexcept { chain->push(next, row, worker); }
};

template <typename Worklist, typename Scheme, typename MakeWorklist>
std::unique_ptr<Station> make_station(const Step& step, PushOn push_on, const Setup& setup,
                                      MakeWorklist make_worklist) {
  const auto make_scheme = [&setup] { return Scheme(setup.window); };
  return std::make_unique<OrderedStation<Worklist, Scheme, PushOn>>(step, push_on, make_worklist,
                                                                    make_scheme);
}

template <typename Keyed, typename Scheme>
class Crew final : public Runner {
 public:
  Crew(const Query& query, const Input& input, const Setup& setup, Results& results)
      : setup_(setup),
        partitions_(std::is_same_v<Keyed, Partitioned> ? setup.workers : Hybrid::kPartitions),
        chain_(input, with_cost(query.make_steps(input, partitions_), setup.cost), results,
               [this](Chain& chain, const Step& step, std::size_t index) {
                 return make(step, {.chain = &chain, .next = index + 1});
               }) {}

  void run() override { chain_.run(setup_.workers); }

 private:
  [[nodiscard]] std::unique_ptr<Station> make(const Step& step, PushOn push_on) const {
    switch (step.kind) {
      case Kind::kStateless:
        return make_station<Shared, Scheme>(step, push_on, setup_,
                                            [this] { return Shared(setup_.capacity); });
      case Kind::kKeyed:
        return make_station<Keyed, Scheme>(step, push_on, setup_, [this] {
          // Hybrid queues have one room for all, partitioned ones a room for each.
          const auto rooms = std::is_same_v<Keyed, Partitioned> ? partitions_ : 1;
          return Keyed(std::max<std::size_t>(setup_.capacity / rooms, 1), partitions_);
        });
      case Kind::kStateful:
        break;
    }
    return make_station<Partitioned, NoReorder>(step, push_on, setup_,
                                                [this] { return Partitioned(setup_.capacity, 1); });
  }

  const Setup setup_;
  const std::size_t partitions_;
  Chain chain_;
};

template <typename Keyed, typename Scheme>
std::unique_ptr<Runner> make_crew(const Query& query, const Input& input, const Setup& setup,
                                  Results& results) {
  return std::make_unique<Crew<Keyed, Scheme>>(query, input, setup, results);
}

}  // namespace

std::span<const Entry> contenders() {
  static constexpr std::array kEntries{
      Entry{.name = "sequential", .make = make_sequential},
      Entry{.name = "hybrid", .make = make_crew<Hybrid, NonBlocking>},
      Entry{.name = "partitioned", .make = make_crew<Partitioned, NonBlocking>},
      Entry{.name = "lock", .make = make_crew<Hybrid, Lock>},
  };
  return kEntries;
}

}  // namespace penstock::bench::queries
