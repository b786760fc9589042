#include "bench/loops/barriers.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <numeric>
#include <utility>

#include "penstock/loop/loop_operator.hpp"
#include "penstock/tuple/borrow_column.hpp"
#include "penstock/tuple/composer.hpp"
#include "penstock/tuple/concat.hpp"
#include "penstock/tuple/own_array.hpp"
#include "penstock/tuple/own_schema.hpp"

#include "bench/loops/library_barrier.hpp"

namespace penstock::bench::loops {

namespace {

using loop::Loop;
using loop::LoopOperator;
using loop::Ports;

tuple::Batch paired(const tuple::Batch& left, const tuple::Batch& right) {
  tuple::Composer pairs(left, static_cast<std::size_t>(left.columns()) + 1);
  pairs.pass_all();
  pairs.add(tuple::borrow_column(right, 0));
  return std::move(pairs).finish();
}

class EventBarrier final : public graph::Operator {
 public:
  void process(const tuple::Tuple& tuple, int port, graph::Output& output) override {
    Buffer& buffer = buffers_.at(static_cast<std::size_t>(port));
    buffer.batches.push_back(tuple.batch);
    buffer.rows += tuple.batch.rows();
    const std::int64_t rows = std::min(buffers_[0].rows, buffers_[1].rows);
    if (rows > 0) output.emit(paired(take(buffers_[0], rows), take(buffers_[1], rows)), 0);
  }

 private:
  struct Buffer {
    std::deque<tuple::Batch> batches;
    std::int64_t rows = 0;
  };

  tuple::Batch take(Buffer& buffer, std::int64_t rows) {
    std::vector<tuple::Batch> parts;
    buffer.rows -= rows;
    while (rows > 0) {
      tuple::Batch& front = buffer.batches.front();
      const std::int64_t here = std::min(rows, front.rows());
      parts.push_back(front.slice(0, here));
      rows -= here;
      if (here < front.rows()) {
        front = front.slice(here, front.rows() - here);
      } else {
        buffer.batches.pop_front();
      }
    }
    return parts.size() == 1 ? std::move(parts[0]) : concatenator_.join(parts);
  }

  std::array<Buffer, 2> buffers_;
  tuple::Concatenator concatenator_{one_column()};
};

// NOLINTNEXTLINE(cppcoreguidelines-avoid-reference-coroutine-parameters): they outlive the loop
Loop pass_on(Ports& ports) {
  const loop::Need row{.port = 0, .rows = 1};
  while (co_await ports.all(row)) {
    tuple::Batch made = ports.in(0).take_batch();
    co_await ports.out().push(std::move(made));
  }
}

LoopOperator::Options options_of(int inputs, LoopOperator::Wake wake) {
  LoopOperator::Options options{.name = "loop", .wake = wake};
  for (int port = 0; port < inputs; ++port) {
    options.inputs.push_back({.name = std::to_string(port), .schema = one_column(), .columns = {}});
  }
  return options;
}

}  // namespace

tuple::Schema one_column() {
  return tuple::make_schema(
      {{.name = "value", .format = "l", .kind = tuple::Kind::kSigned, .width = 8}});
}

tuple::Batch counted(std::int64_t first, std::int64_t rows) {
  tuple::OwnArray column(rows);
  column.skip_buffer();
  auto* const values = column.add_buffer<std::int64_t>(rows);
  std::iota(values, values + rows, first);
  tuple::OwnArray root(rows);
  root.skip_buffer();
  root.add_child(std::move(column).finish(0));
  return std::move(root).finish_batch();
}

// NOLINTNEXTLINE(cppcoreguidelines-avoid-reference-coroutine-parameters): they outlive the loop
Loop barrier_loop(Ports& ports) {
  const loop::Need on_left{.port = 0, .rows = 1};
  const loop::Need on_right{.port = 1, .rows = 1};
  while (co_await ports.all(on_left, on_right)) {
    const std::int64_t rows = std::min(ports.in(0).rows(), ports.in(1).rows());
    const tuple::Batch left = ports.in(0).take(rows);
    const tuple::Batch right = ports.in(1).take(rows);
    co_await ports.out().push(paired(left, right));
  }
}

std::unique_ptr<graph::Operator> make_event_barrier() { return std::make_unique<EventBarrier>(); }
std::unique_ptr<graph::Operator> make_loop_barrier(LoopOperator::Wake wake) {
  return std::make_unique<LoopOperator>(options_of(2, wake), barrier_loop);
}
std::unique_ptr<graph::Operator> make_library_barrier(LoopOperator::Wake wake) {
  return library_barrier(options_of(2, wake));
}
std::unique_ptr<graph::Operator> make_passing_loop() {
  return std::make_unique<LoopOperator>(options_of(1, LoopOperator::Wake::kRun), pass_on);
}

}  // namespace penstock::bench::loops
