#include "penstock/engine/station.hpp"

#include <cstddef>
#include <utility>

namespace penstock::engine {

namespace {

graph::Division division_of(const Station& here, const FlowRun& run) {
  const int width = here.resizable == Station::kFixed
                        ? here.divided->parts()
                        : run.widths[static_cast<std::size_t>(here.resizable)];
  return {.width = width, .serial = run.serial};
}

void process_whole(const Station& here, const graph::Node& node, const FlowRun& run,
                   const FlowRun::Delivery& delivery, graph::Output& output) {
  if (delivery.mark) {
    node.body->punctuate(delivery.port, output);
  } else if (node.is_control(delivery.port)) {
    node.body->control(delivery.tuple, delivery.port);
  } else if (here.divided != nullptr) {
    here.divided->process_whole(delivery.tuple, division_of(here, run), output);
  } else {
    node.body->process(delivery.tuple, delivery.port, output);
  }
}

}  // namespace

void process_one(const Station& here, const graph::Node& node, FlowRun& run, std::size_t index,
                 graph::Output& output) {
  const auto& delivery = run.waiting[static_cast<std::size_t>(here.node)][index];
  if (here.role == Role::kWhole) {
    process_whole(here, node, run, delivery, output);
    return;
  }
  if (delivery.mark) {
    if (here.role == Role::kJoin) node.body->punctuate(delivery.port, output);
    return;
  }
  auto& [pieces, failure] = run.divided[static_cast<std::size_t>(here.node)][index];
  if (here.role == Role::kCut) {
    failure.clear();
    pieces = here.divided->cut(delivery.tuple, division_of(here, run), std::move(pieces));
  } else if (here.role == Role::kPart) {
    for (int part = here.part; part < here.end_part; ++part) {
      try {
        here.divided->process_part(part, delivery.tuple, *pieces);
      } catch (const graph::FailedAtRow& failed) {
        failure.add(failed);
      }
    }
  } else {
    here.divided->join(delivery.tuple, failure.rows_before(delivery.tuple.batch.rows()), *pieces,
                       output);
    failure.raise();
  }
}

void resize(const Station& here, FlowRun::Pulse& pulse) {
  if (here.role == Role::kCut || here.role == Role::kJoin) return;
  // NOLINTNEXTLINE(*-downcast): pulses are sent to resizable operators only
  auto& body = static_cast<graph::ResizableOperator&>(*here.divided);
  const int first = here.role == Role::kPart ? here.part : 0;
  const int end = here.role == Role::kPart ? here.end_part : body.parts();
  for (int part = first; part < end && pulse.what != graph::Resizing::kTake; ++part) {
    body.give(part, *pulse.moving);
  }
  for (int part = first; part < end && pulse.what != graph::Resizing::kGive; ++part) {
    body.take(part, *pulse.moving);
  }
}

}  // namespace penstock::engine
