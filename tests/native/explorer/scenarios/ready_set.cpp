// The ready set with parking: no port is left ready while every worker sleeps.

#include "penstock/queue/ready_set.hpp"

#include <array>
#include <cstddef>

#include "penstock/base/event_count.hpp"
#include "penstock/queue/port_queue.hpp"

#include "explorer/mutant.hpp"
#include "explorer/scenario.hpp"

namespace penstock::explorer {
namespace {

using NoFences = Mutant<SimSync, {.no_fences = true}>;
using TornUpdates = Mutant<SimSync, {.torn_updates = true}>;

enum class Fault { kNone, kNoSecondLook, kNoLastLook, kLooksTooSoon, kNoFenceBeforeLastLook };

constexpr int kEach = 2;                             // items per port
constexpr std::array<std::size_t, 2> kPorts{3, 70};  // in two words of the set
constexpr std::size_t kSetSize = 130;

template <typename Sync, Fault kFault>
class Workshop {
 public:
  void produce(std::size_t which) {
    auto producer = queues_[which].try_produce();
    for (int i = 0; i < kEach; ++i) {
      int item = i;
      expect(producer->try_push(item), "the queue has room for all items");
      make_ready(which);
    }
  }

  void work() {
    std::size_t start = 0;
    while (taken_.load(std::memory_order_acquire) < 2 * kEach) {
      if (const auto port = ready_.take_next(start)) {
        run(*port == kPorts[0] ? 0 : 1);
        start = *port + 1;
      } else {
        sleep();
      }
    }
    events_.notify_all();
  }

 private:
  void make_ready(std::size_t which) {
    if (ready_.set(kPorts[which])) events_.notify_one();
  }

  // A worker that is refused forgets the port. It may, because the holder looks once more after
  // it gave the role back.
  void run(std::size_t which) {
    auto consumer = queues_[which].try_consume();
    if (!consumer) return;
    while (const auto item = consumer->try_pop()) {
      expect(*item == Sync::write(next_[which])++, "items arrive in order");
      taken_.fetch_add(1, std::memory_order_acq_rel);
    }
    if (kFault == Fault::kNoLastLook) return;
    if (kFault == Fault::kLooksTooSoon) return look(which);
    consumer.reset();
    if (kFault != Fault::kNoFenceBeforeLastLook) Sync::fence_seq_cst();
    look(which);
  }

  void look(std::size_t which) {
    if (queues_[which].size_hint() != 0) make_ready(which);
  }

  // Nothing is ready, so the second look is the search itself.
  void sleep() {
    const auto key = events_.prepare_wait();
    if (kFault != Fault::kNoSecondLook) {
      if (const auto port = ready_.take_next(0)) {
        events_.cancel_wait();
        run(*port == kPorts[0] ? 0 : 1);
        return;
      }
    }
    if (taken_.load(std::memory_order_relaxed) == 2 * kEach) {
      events_.cancel_wait();
      return;
    }
    events_.wait(key).accept();
  }

  queue::ReadySet<Sync> ready_{kSetSize};
  base::EventCount<Sync> events_;
  std::array<queue::PortQueue<int, Sync>, 2> queues_{queue::PortQueue<int, Sync>(kEach),
                                                     queue::PortQueue<int, Sync>(kEach)};
  std::array<typename Sync::template Plain<int>, 2> next_;
  typename Sync::template Atomic<int> taken_{0};
};

template <typename Sync, Fault kFault = Fault::kNone>
void no_ready_port_is_left_asleep() {
  Workshop<Sync, kFault> workshop;
  Crew crew;
  crew.add("worker 0", [&] { workshop.work(); });
  crew.add("worker 1", [&] { workshop.work(); });
  crew.add("producer 0", [&] { workshop.produce(0); });
  crew.add("producer 1", [&] { workshop.produce(1); });
}

// A port comes out once for each time that set() says it was new, however often it is put in.
template <typename Sync>
void ports_come_out_as_often_as_they_went_in() {
  queue::ReadySet<Sync> ready(kSetSize);
  std::array<int, 2> put{};
  std::array<int, 3> taken{};
  Crew crew;
  for (const std::size_t me : {std::size_t{0}, std::size_t{1}}) {
    crew.add(me == 0 ? "puts 0" : "puts 1", [&, me] {
      for (const std::size_t port : kPorts) put[me] += ready.set(port) ? 1 : 0;
    });
    crew.add(me == 0 ? "takes 0" : "takes 1", [&, me] {
      for (const std::size_t start : {kPorts[me], kPorts[1 - me], std::size_t{0}}) {
        taken[me] += ready.take_next(start) ? 1 : 0;
      }
    });
  }
  crew.join();
  while (ready.take_next(0)) ++taken[2];
  expect(put[0] + put[1] == taken[0] + taken[1] + taken[2], "nothing is lost or doubled");
}

const Registered kNoneAsleep({
    .name = "ready_set.with_parking",
    .body = no_ready_port_is_left_asleep<SimSync>,
    .mutants = {{"no fences", no_ready_port_is_left_asleep<NoFences>},
                {"no second look", no_ready_port_is_left_asleep<SimSync, Fault::kNoSecondLook>},
                {"no last look", no_ready_port_is_left_asleep<SimSync, Fault::kNoLastLook>},
                {"looks too soon", no_ready_port_is_left_asleep<SimSync, Fault::kLooksTooSoon>},
                {"no fence before the last look",
                 no_ready_port_is_left_asleep<SimSync, Fault::kNoFenceBeforeLastLook>}},
});
const Registered kCounted({
    .name = "ready_set.counted",
    .body = ports_come_out_as_often_as_they_went_in<SimSync>,
    .mutants = {{"torn updates", ports_come_out_as_often_as_they_went_in<TornUpdates>}},
});

}  // namespace
}  // namespace penstock::explorer
