#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "bench/contenders/contenders.hpp"
#include "bench/workload/kernel.hpp"

namespace penstock::bench {

namespace {

// What one writes without any runtime: an operator does its work and calls the next one.
class Link {
 public:
  Link() = default;
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;
  Link(Link&&) = delete;
  Link& operator=(Link&&) = delete;
  virtual ~Link() = default;

  virtual void process(Item& item) noexcept = 0;
};

class alignas(64) BusyLink final : public Link {
 public:
  BusyLink(int cost, Link& next) : next_(&next) { kernel_.cost = cost; }

  void process(Item& item) noexcept override {
    kernel_.work(item);
    next_->process(item);
  }

 private:
  Kernel kernel_;
  Link* next_;
};

class SinkLink final : public Link {
 public:
  explicit SinkLink(Sink& sink) : sink_(&sink) {}

  void process(Item& item) noexcept override { sink_->take(item); }

 private:
  Sink* sink_;
};

class Chain final : public Contender {
 public:
  explicit Chain(Workload& workload) : source_(&workload.source), sink_(workload.sink) {
    const Shape& shape = workload.task.shape;
    for (int channel = 0; channel < shape.width; ++channel) {
      Link* next = &sink_;
      for (int place = 0; place < shape.depth; ++place) {
        links_.push_back(std::make_unique<BusyLink>(workload.task.cost, *next));
        next = links_.back().get();
      }
      heads_.push_back(next);
    }
  }

  void run() override {
    std::size_t channel = 0;
    while (!source_->ended()) {
      if (source_->due() == 0) source_->wait();
      const int count = source_->fill(items_.data(), static_cast<int>(items_.size()));
      for (int i = 0; i < count; ++i) {
        heads_[channel]->process(items_[static_cast<std::size_t>(i)]);
        if (++channel == heads_.size()) channel = 0;
      }
    }
  }

 private:
  Source* source_;
  SinkLink sink_;
  std::vector<std::unique_ptr<Link>> links_;
  std::vector<Link*> heads_;
  std::array<Item, 64> items_;  // what was read from the source at once
};

}  // namespace

std::unique_ptr<Contender> make_chain(Workload& workload, const Setup& /*setup*/) {
  return std::make_unique<Chain>(workload);
}

}  // namespace penstock::bench
