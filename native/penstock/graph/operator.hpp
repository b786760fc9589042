#pragma once

#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <utility>

#include "penstock/tuple/batch.hpp"
#include "penstock/tuple/tuple.hpp"

namespace penstock::graph {

// What an operator remembers between tuples decides who may run it at the same time.
enum class Kind { kStateless, kKeyed, kStateful };

// Where an operator puts what it makes. Everything emitted while one tuple is processed counts as
// that tuple's result and keeps the order of the calls. Marks (S15) keep their place among tuples.
class Output {
 public:
  Output() = default;
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  Output(Output&&) = delete;
  Output& operator=(Output&&) = delete;
  virtual ~Output() = default;

  virtual void emit(tuple::Batch batch, int port) = 0;
  // The same, by an operator that knows from which row of its tuple each row came; `rows` does not
  // descend. Inside a region by key what is emitted otherwise must be one row for each row given.
  virtual void emit_rows(tuple::Batch batch, std::span<const std::int32_t> /*rows*/, int port) {
    emit(std::move(batch), port);
  }
  // At the end of the input, by an operator of keys: rows and what puts those of all its channels
  // in order. `order` does not descend, and no two channels have the same.
  virtual void emit_ordered(tuple::Batch batch, std::span<const std::string> /*order*/, int port) {
    emit(std::move(batch), port);
  }
  // Puts a mark behind everything emitted on that port so far.
  virtual void punctuate(int port) = 0;
  [[nodiscard]] virtual int ports() const = 0;
};

// One step of a flow. An exception that leaves process() is the operator's failure: the flow ends
// with it, after everything the rows before it produced has been delivered.
class Operator {
 public:
  Operator() = default;
  Operator(const Operator&) = delete;
  Operator& operator=(const Operator&) = delete;
  Operator(Operator&&) = delete;
  Operator& operator=(Operator&&) = delete;
  virtual ~Operator() = default;

  virtual void process(const tuple::Tuple& tuple, int port, Output& output) = 0;

  // A mark came in, behind the tuples before it. Unless an operator has a better use for it, it
  // goes on to everybody downstream.
  virtual void punctuate(int /*port*/, Output& output) {
    for (int port = 0; port < output.ports(); ++port) output.punctuate(port);
  }

  // What came in on a control port (C9). It may change what the operator does with later rows and
  // has nowhere to emit: rows that go round a circle cannot breed.
  virtual void control(const tuple::Tuple& /*tuple*/, int /*port*/) {}

  // Every input port is closed (the final mark): the last chance to emit. Called once, also when
  // no row came, and not at all when the flow fails or is closed early.
  virtual void finish(Output& /*output*/) {}

  // Whether it stopped in the middle of its work, because it had the thread for long enough (C12):
  // resume() goes on from there, on whichever thread. Asked after process(), punctuate(), finish()
  // and resume(); nothing else is called while it is true.
  [[nodiscard]] virtual bool paused() const noexcept { return false; }
  virtual void resume(Output& /*output*/) {}

  // Whether it wants no more rows, ever: what still comes is dropped, finish() is not called, and
  // operators that work for nobody else need not work any more (A36). Asked like paused(), by the
  // thread that ran it; stays true.
  [[nodiscard]] virtual bool completed() const noexcept { return false; }
  // Of the tuple given last, the row with which it completed; asked once, when it just has.
  [[nodiscard]] virtual std::int64_t completed_at() const noexcept { return 0; }

  // Whether no other operator of the flow that says the same may run at the same time, because they
  // would only be in each other's way: they share the lane. Never changes.
  [[nodiscard]] virtual bool in_lane() const noexcept { return false; }

  // Whether a tuple is nothing to it but rows one after another, so that whatever it makes is the
  // same wherever tuples are cut. Never changes.
  [[nodiscard]] virtual bool row_by_row() const noexcept { return false; }
};

// Thrown by an operator that was told to stop (a keyboard interrupt, an exit): the cause says
// nothing about the rows, so nobody may run them again to find out which one it was.
class Interrupted : public std::exception {
 public:
  explicit Interrupted(std::exception_ptr cause) noexcept : cause_(std::move(cause)) {}

  [[nodiscard]] const char* what() const noexcept override { return "interrupted"; }
  [[nodiscard]] const std::exception_ptr& cause() const noexcept { return cause_; }

 private:
  std::exception_ptr cause_;
};

}  // namespace penstock::graph
