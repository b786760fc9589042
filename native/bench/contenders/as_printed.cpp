#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "penstock/base/thread.hpp"

#include "bench/as_printed/reorder.hpp"
#include "bench/as_printed/scheduler.hpp"
#include "bench/contenders/contenders.hpp"

namespace penstock::bench {

namespace {

constexpr std::size_t kQueueSize = 1000;                     // S8
constexpr std::size_t kStackBytes = std::size_t{16} << 20U;  // A5
// A final punctuation travels like a tuple (S15).
constexpr auto kFinal = std::numeric_limits<std::uint64_t>::max();

// The paper's scheduler on a workload. The feeder is the thread of the source operator (S4): it
// helps only where a queue is full, and becomes a scheduler thread when the source has ended.
class AsPrinted final : public Contender {
 public:
  AsPrinted(Workload& workload, const Setup& setup)
      : workload_(&workload),
        shape_(workload.task.shape),
        sink_port_(static_cast<std::uint32_t>(shape_.operators())),
        scheduler_(*this, sink_port_ + 1, setup.capacity != 0 ? setup.capacity : kQueueSize),
        flags_(static_cast<std::size_t>(setup.threads)) {
    for (std::uint32_t port = 0; port < sink_port_; ++port) {
      const bool is_last = (port + 1) % static_cast<std::uint32_t>(shape_.depth) == 0;
      next_.push_back(is_last ? sink_port_ : port + 1);
    }
    for (std::size_t thread = 1; thread < flags_.size(); ++thread) {
      threads_.emplace_back(base::ThreadOptions{.name = "printed-" + std::to_string(thread),
                                                .stack_bytes = kStackBytes},
                            [this, thread] { scheduler_.schedule(flags_[thread]); });
    }
  }

  AsPrinted(const AsPrinted&) = delete;
  AsPrinted& operator=(const AsPrinted&) = delete;
  AsPrinted(AsPrinted&&) = delete;
  AsPrinted& operator=(AsPrinted&&) = delete;
  ~AsPrinted() override { close_ports(); }

  void run() override {
    Source& source = workload_->source;
    int channel = 0;
    const auto push_on = [&](const Item& item) {
      scheduler_.push(static_cast<std::uint32_t>(channel * shape_.depth), item);
      if (++channel == shape_.width) channel = 0;
    };
    Item item;
    while (!source.ended()) {
      if (source.due() == 0) source.wait();
      while (source.fill(&item, 1) != 0) push_on(item);
    }
    item.serial = kFinal;
    for (int i = 0; i < shape_.width; ++i) push_on(item);
    scheduler_.schedule(flags_[0]);
    threads_.clear();
  }

  // NOLINTNEXTLINE(misc-no-recursion): A5
  void execute(std::uint32_t port, Item& item, as_printed::Scheduler<AsPrinted>& scheduler) {
    if (port == sink_port_) {
      take(item);
      return;
    }
    if (item.serial != kFinal) {
      static_cast<void>(workload_->operators[port]->process(item, Emit({&item, 1, 1})));
    }
    scheduler.push(next_[port], item);
  }

 private:
  void take(const Item& item) {
    if (item.serial == kFinal) {
      if (++finals_ == shape_.width) close_ports();
    } else if (shape_.width == 1) {
      workload_->sink.take(item);
    } else {
      reorder_.add(item, [this](const Item& next) { workload_->sink.take(next); });
    }
  }

  void close_ports() {
    for (auto& flags : flags_) flags.ports_closed.store(true, std::memory_order_release);
    scheduler_.unblock();
  }

  Workload* workload_;
  const Shape shape_;
  const std::uint32_t sink_port_;
  std::vector<std::uint32_t> next_;
  as_printed::Scheduler<AsPrinted> scheduler_;
  std::vector<as_printed::ThreadFlags> flags_;
  as_printed::Reorder reorder_;  // the sink's
  int finals_ = 0;               // the sink's
  std::vector<base::Thread> threads_;
};

}  // namespace

std::unique_ptr<Contender> make_as_printed(Workload& workload, const Setup& setup) {
  return std::make_unique<AsPrinted>(workload, setup);
}

}  // namespace penstock::bench
