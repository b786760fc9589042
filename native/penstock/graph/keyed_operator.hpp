#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <utility>

#include "penstock/graph/operator.hpp"

namespace penstock::graph {

// What a keyed operator keeps of one tuple between cutting it and joining its parts.
class Pieces {
 public:
  Pieces() = default;
  Pieces(const Pieces&) = delete;
  Pieces& operator=(const Pieces&) = delete;
  Pieces(Pieces&&) = delete;
  Pieces& operator=(Pieces&&) = delete;
  virtual ~Pieces() = default;
};

// Thrown by a keyed operator that knows which row of its tuple it could not work on. What the rows
// before it make is good, and goes on.
class FailedAtRow : public std::exception {
 public:
  FailedAtRow(std::int64_t row, std::exception_ptr cause) noexcept
      : row_(row), cause_(std::move(cause)) {}

  [[nodiscard]] const char* what() const noexcept override { return "failed at a row"; }
  [[nodiscard]] std::int64_t row() const noexcept { return row_; }
  [[nodiscard]] const std::exception_ptr& cause() const noexcept { return cause_; }

 private:
  std::int64_t row_;
  std::exception_ptr cause_;
};

// An operator whose memory is divided by key into parts that know nothing of each other. A tuple is
// cut by key; each part works on its own rows, and sees those of one tuple before those of the
// next; and what the parts made is joined by the input row it came from. The result is the same for
// any number of parts, and that of one thread working row by row.
class KeyedOperator : public Operator {
 public:
  [[nodiscard]] virtual int parts() const noexcept = 0;

  // On any number of threads at once. `used` is what an earlier tuple left, to be used again; null
  // at first.
  [[nodiscard]] virtual std::unique_ptr<Pieces> cut(const tuple::Tuple& tuple,
                                                    std::unique_ptr<Pieces> used) const = 0;

  // One thread at a time for each part, in the order of the tuples.
  virtual void process_part(int part, const tuple::Tuple& tuple, Pieces& pieces) = 0;

  // On any number of threads at once: emits what the first `rows` rows of the tuple made.
  virtual void join(const tuple::Tuple& tuple, std::int64_t rows, Pieces& pieces,
                    Output& output) const = 0;

  // All of it, on one thread.
  void process(const tuple::Tuple& tuple, int port, Output& output) final;

 private:
  std::unique_ptr<Pieces> own_;
};

// The row of a tuple at which the work on it ends: the first one that failed in any part.
class FirstFailure {
 public:
  // The parts of one tuple may fail each for itself.
  void add(const FailedAtRow& failed) {
    if (cause_ && failed.row() >= row_) return;
    row_ = failed.row();
    cause_ = failed.cause();
  }
  [[nodiscard]] explicit operator bool() const noexcept { return cause_ != nullptr; }
  [[nodiscard]] const std::exception_ptr& cause() const noexcept { return cause_; }
  // The rows before it, of so many.
  [[nodiscard]] std::int64_t rows_before(std::int64_t rows) const noexcept {
    return cause_ ? row_ : rows;
  }
  void clear() noexcept { cause_ = nullptr; }

 private:
  std::int64_t row_ = 0;
  std::exception_ptr cause_;
};

}  // namespace penstock::graph
