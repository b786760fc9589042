#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "penstock/graph/operator.hpp"
#include "penstock/loop/arrivals.hpp"
#include "penstock/loop/loop.hpp"
#include "penstock/loop/ports.hpp"
#include "penstock/tuple/schema.hpp"

namespace penstock::loop {

// A driver loop as an operator of a flow: rows that come in wait at its ports, and it is resumed as
// often as its wait has an answer. It is an operator with state, so it sees all rows in the order
// of the input, and even a wait for any port ends the same way whatever the threads do.
//
// Nothing outside of it refers to the coroutine, and it is resumed only in the calls below, of
// which there is one at a time: by the time one returns the coroutine is suspended (A38).
class LoopOperator final : public graph::Operator {
 public:
  static constexpr graph::Kind kKind = graph::Kind::kStateful;

  // When a loop that waits is resumed: at the very row that makes its wait come true, so that how
  // the input was cut into batches can never matter; or at the end of the rows for one port that
  // follow each other, so that it can take many at a time.
  enum class Wake { kRow, kRun };

  struct Input {
    std::string name;
    tuple::Schema schema;
    // Where they are in a tagged stream; empty: all that come behind the first.
    std::vector<int> columns;
  };

  struct Options {
    std::string name;
    std::vector<Input> inputs;
    std::vector<Input> controls;
    int outputs = 1;
    // One input port for all inputs, or one output port for all outputs: an int8 in the first
    // column says which one. A control port keeps a port of its own.
    bool tagged_input = false;
    bool tagged_output = false;
    // Whether to tell from which row of a tuple each row made came, as operators in branches must.
    bool tells_rows = false;
    Wake wake = Wake::kRow;
    Room room;
    Quantum quantum;
    std::stop_token stop;
  };

  // The ports are the loop's for as long as it lives.
  using Body = std::function<Loop(Ports&)>;

  LoopOperator(Options options, Body body);

  // As TopologyBuilder::add() wants to know.
  [[nodiscard]] int inputs() const noexcept;
  [[nodiscard]] int controls() const noexcept { return ports_.setup().controls; }
  [[nodiscard]] int outputs() const noexcept;

  void process(const tuple::Tuple& tuple, int port, graph::Output& output) override;
  void control(const tuple::Tuple& tuple, int port) override;
  void finish(graph::Output& output) override;
  [[nodiscard]] bool paused() const noexcept override {
    return ports_.state() == Ports::State::kPaused && !loop_.ended();
  }
  void resume(graph::Output& output) override;
  [[nodiscard]] bool completed() const noexcept override { return completed_; }
  [[nodiscard]] std::int64_t completed_at() const noexcept override { return row_; }

 private:
  void go_on(graph::Output& output);
  [[nodiscard]] bool step();
  void deliver();
  void check_room() const;
  [[noreturn]] void fail(std::exception_ptr cause) const;

  void go_on_into(graph::Output& output);

  const bool tagged_input_;
  const bool tells_rows_;
  const Wake wake_;
  Arrivals arrivals_;
  Ports ports_;
  const Body body_;  // of which the coroutine may use what it captured
  Loop loop_;
  std::int64_t row_ = 0;  // of the tuple: the one that made the loop go on
  bool finishing_ = false;
  bool completed_ = false;
};

}  // namespace penstock::loop
