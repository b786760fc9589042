#include "penstock/engine/emitted.hpp"

#include <cstddef>
#include <utility>

#include "penstock/base/check.hpp"

namespace penstock::engine {

void deliver(const graph::Target& target, FlowRun::Delivery delivery, FlowRun& run) {
  if (target.node != graph::kSink) {
    delivery.port = target.port;
    run.waiting[static_cast<std::size_t>(target.node)].push_back(std::move(delivery));
  } else {
    // A mark is a batch that is nothing: what leaves is cut there.
    run.out.push_back(delivery.mark ? tuple::Batch() : std::move(delivery.tuple.batch));
  }
}

void Emitted::emit(tuple::Batch batch, int port) {
  if (batch.rows() == 0) return;
  rows_ += batch.rows();
  send(port, {.tuple = {.batch = std::move(batch), .origin = run_->source.origin}});
}

void Emitted::send(int port, const FlowRun::Delivery& delivery) {
  PENSTOCK_CHECK(port >= 0 && port < ports(),
                 "an operator may emit only to the output ports it declared");
  for (const graph::Target& target : node_->outputs[static_cast<std::size_t>(port)]) {
    if (feedback_->leads_back(index_, target)) {
      feedback_->hold(target, delivery);
    } else {
      deliver(target, delivery, *run_);
    }
  }
}

}  // namespace penstock::engine
