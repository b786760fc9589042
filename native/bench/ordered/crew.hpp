#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "penstock/base/cache_line.hpp"
#include "penstock/base/thread.hpp"
#include "penstock/queue/keyed_queue.hpp"
#include "penstock/queue/reorderer.hpp"

#include "bench/ordered/contenders.hpp"
#include "bench/workload/steady.hpp"

namespace penstock::bench::ordered {

// Workers that run one ordered stage: a worklist, the operator, and a reordering scheme behind it.
// Who finds nothing to do takes the producer's role and fills the worklist, so there is no thread
// besides the workers.
//
// A tuple is admitted only while it is inside the window of the reordering scheme. What is admitted
// can then always be handed over, however few of the partitions are being worked on (X2).
template <queue::KeyedQueue Worklist, queue::Reorderer Scheme>
class Crew final : public Contender {
 public:
  // Neither the worklist nor the scheme can be moved: both are made in place by what is given.
  template <typename MakeWorklist, typename MakeScheme>
  Crew(Job& job, const Setup& setup, MakeWorklist make_worklist, MakeScheme make_scheme)
      : job_(&job),
        worklist_(make_worklist()),
        reorder_(make_scheme()),
        // With more partitions than workers every one must be visited in turn.
        visits_in_turn_(worklist_.partitions() > static_cast<std::size_t>(setup.workers)),
        meters_(static_cast<std::size_t>(setup.workers)) {
    for (std::size_t worker = 1; worker < meters_.size(); ++worker) {
      threads_.emplace_back(base::ThreadOptions{.name = "worker"}, [this, worker] {
        begun_.wait(false);
        work_to_the_end(worker);
      });
    }
  }

  Outcome run() override {
    begun_.store(true);
    begun_.notify_all();
    const auto start = steady_ns();
    work_to_the_end(0);
    for (auto& thread : threads_) thread.join();
    // Where the end came before anybody had noticed that it was warm, everything counts.
    Outcome outcome{.warm_at = warm_at_ == 0 ? start : warm_at_, .warm_tuples = warm_tuples_};
    for (const Meter& meter : meters_) {
      outcome.blocked_ns += meter.handing_over - meter.sending;
      outcome.retries += meter.retries;
    }
    outcome.worker_ns = (steady_ns() - start) * static_cast<std::int64_t>(meters_.size());
    return outcome;
  }

 private:
  struct alignas(base::kCacheLine) Meter {
    std::int64_t handing_over = 0;  // nanoseconds
    std::int64_t sending = 0;       // of these, in the job's own send()
    std::uint64_t retries = 0;
  };

  static constexpr std::uint64_t kFill = 256;

  void work_to_the_end(std::size_t worker) noexcept {
    Meter& meter = meters_[worker];
    const auto work = [this, &meter](std::size_t /*partition*/, Item&& item) noexcept {
      work_on(item, meter);
    };
    for (std::size_t start = worker;;) {
      if (worklist_.try_work(start % worklist_.partitions(), work)) {
        if (visits_in_turn_) ++start;
        continue;
      }
      if (reorder_.next_hint() == job_->task().tuples) return;
      auto producer = worklist_.try_produce();
      if (!producer || !fill(*producer)) base::RealSync::yield();
    }
  }

  void work_on(Item& item, Meter& meter) noexcept {
    const bool timed = job_->task().timed;
    if (timed) item.handed_over = steady_ns();
    job_->work(item);
    const auto start = timed ? steady_ns() : 0;
    const auto send = [this, timed, &meter](Item&& unit) noexcept {
      const auto before = timed ? steady_ns() : 0;
      job_->send(unit);
      if (timed) meter.sending += steady_ns() - before;
    };
    const auto serial = item.serial;
    const bool has_output = job_->task().selectivity != 0;
    while (
        !(has_output ? reorder_.try_send(serial, item, send) : reorder_.try_skip(serial, send))) {
      ++meter.retries;
      base::RealSync::yield();
    }
    if (timed) meter.handing_over += steady_ns() - start;
  }

  // True when something was pushed. Under the producer's role.
  bool fill(typename Worklist::Producer& producer) noexcept {
    const auto next = reorder_.next_hint();
    if (warm_at_ == 0 && next >= job_->task().warm) {
      warm_at_ = steady_ns();
      warm_tuples_ = next;
    }
    const auto first = pushed_;
    const auto end = std::min({job_->task().tuples, next + reorder_.size(), first + kFill});
    for (; pushed_ < end; ++pushed_) {
      Item item = Job::tuple(pushed_);
      const auto partition =
          partition_of(job_->key_of(pushed_), job_->task().keys, worklist_.partitions());
      if (!producer.try_push(partition, item)) break;
    }
    return pushed_ != first;
  }

  Job* job_;
  Worklist worklist_;
  Scheme reorder_;
  const bool visits_in_turn_;
  std::vector<Meter> meters_;
  std::uint64_t pushed_ = 0;  // this and the next two under the producer's role
  std::int64_t warm_at_ = 0;
  std::uint64_t warm_tuples_ = 0;
  std::atomic<bool> begun_{false};
  std::vector<base::Thread> threads_;
};

}  // namespace penstock::bench::ordered
