#include <cstddef>
#include <memory>
#include <oneapi/tbb/flow_graph.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <utility>
#include <vector>

#include "bench/peers/peers.hpp"

namespace penstock::bench {

namespace {

namespace tbb = oneapi::tbb;
namespace flow = oneapi::tbb::flow;

// oneTBB's flow graph: a serial node with a queue for each operator, tuples as messages, a limit
// on how many are under way, and a sequencer where pipelines meet.
class TbbGraph final : public Contender {
 public:
  TbbGraph(Workload& workload, const Setup& setup)
      : workload_(&workload),
        limit_(tbb::global_control::max_allowed_parallelism,
               static_cast<std::size_t>(setup.threads)),
        arena_(setup.threads),
        graph_(make_graph()),
        input_(*graph_, [this](tbb::flow_control& control) { return next(control); }),
        limiter_(*graph_, setup.window != 0 ? setup.window : 256),
        splitter_(*graph_, flow::serial, [this](const Item& item) { split(item); }),
        sequencer_(*graph_, [](const Item& item) { return static_cast<std::size_t>(item.serial); }),
        sink_(*graph_, flow::serial, [this](const Item& item) {
          workload_->sink.take(item);
          return flow::continue_msg();
        }) {
    connect();
  }

  void run() override {
    arena_.execute([this] {
      input_.activate();
      graph_->wait_for_all();
    });
  }

 private:
  using Node = flow::function_node<Item, Item>;

  [[nodiscard]] std::unique_ptr<flow::graph> make_graph() {
    return arena_.execute([] { return std::make_unique<flow::graph>(); });
  }

  [[nodiscard]] Item next(tbb::flow_control& control) {
    Source& source = workload_->source;
    while (source.due() == 0 && !source.ended()) source.wait();
    Item item;
    if (source.fill(&item, 1) == 0) control.stop();
    return item;
  }

  void split(const Item& item) {
    const auto width = static_cast<std::uint64_t>(workload_->task.shape.width);
    heads_[static_cast<std::size_t>(item.serial % width)]->try_put(item);
  }

  void connect() {
    const Shape& shape = workload_->task.shape;
    for (int channel = 0; channel < shape.width; ++channel) {
      for (int place = 0; place < shape.depth; ++place) add_operator(place == 0);
      if (shape.width == 1) {
        flow::make_edge(*nodes_.back(), sink_);
      } else {
        flow::make_edge(*nodes_.back(), sequencer_);
      }
    }
    flow::make_edge(input_, limiter_);
    if (shape.width == 1) {
      flow::make_edge(limiter_, *heads_.front());
    } else {
      flow::make_edge(limiter_, splitter_);
      flow::make_edge(sequencer_, sink_);
    }
    flow::make_edge(sink_, limiter_.decrementer());
  }

  void add_operator(bool is_head) {
    auto* const op = workload_->operators[nodes_.size()].get();
    auto node = std::make_unique<Node>(*graph_, flow::serial, [op](const Item& message) {
      Item item = message;
      static_cast<void>(op->process(item, Emit({&item, 1, 1})));
      return item;
    });
    if (is_head) {
      heads_.push_back(node.get());
    } else {
      flow::make_edge(*nodes_.back(), *node);
    }
    nodes_.push_back(std::move(node));
  }

  Workload* workload_;
  tbb::global_control limit_;
  tbb::task_arena arena_;
  std::unique_ptr<flow::graph> graph_;
  flow::input_node<Item> input_;
  flow::limiter_node<Item> limiter_;
  flow::function_node<Item> splitter_;
  flow::sequencer_node<Item> sequencer_;
  flow::function_node<Item, flow::continue_msg> sink_;
  std::vector<std::unique_ptr<Node>> nodes_;
  std::vector<Node*> heads_;
};

}  // namespace

std::unique_ptr<Contender> make_tbb_graph(Workload& workload, const Setup& setup) {
  return std::make_unique<TbbGraph>(workload, setup);
}

}  // namespace penstock::bench
