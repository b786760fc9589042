#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <string>
#include <utility>

namespace penstock::graph {

// Thrown by an operator that knows which row of its tuple it could not work on. What the rows
// before it make is good, and goes on.
class FailedAtRow : public std::exception {
 public:
  // Nothing that the tuple makes is known to be good.
  static constexpr std::int64_t kUnknownRow = -1;

  // `inner` is the operator's name where it is one of several that share a place in the graph.
  FailedAtRow(std::int64_t row, std::exception_ptr cause, std::string inner = {}) noexcept
      : row_(row), cause_(std::move(cause)), inner_(std::move(inner)) {}

  [[nodiscard]] const char* what() const noexcept override { return "failed at a row"; }
  [[nodiscard]] std::int64_t row() const noexcept { return row_; }
  [[nodiscard]] const std::exception_ptr& cause() const noexcept { return cause_; }
  [[nodiscard]] const std::string& inner() const noexcept { return inner_; }

 private:
  std::int64_t row_;
  std::exception_ptr cause_;
  std::string inner_;
};

// The row of a tuple at which the work on it ends: the first one that failed in any part.
class FirstFailure {
 public:
  // The parts of one tuple may fail each for itself. An unknown row counts as the first.
  void add(const FailedAtRow& failed) {
    if (cause_ && failed.row() >= row_) return;
    row_ = failed.row();
    cause_ = failed.cause();
    inner_ = failed.inner();
  }
  [[nodiscard]] explicit operator bool() const noexcept { return cause_ != nullptr; }
  [[nodiscard]] const std::exception_ptr& cause() const noexcept { return cause_; }
  // The rows before it, of so many.
  [[nodiscard]] std::int64_t rows_before(std::int64_t rows) const noexcept {
    return cause_ ? std::max<std::int64_t>(row_, 0) : rows;
  }
  void clear() noexcept { cause_ = nullptr; }
  // Only if there was one.
  [[nodiscard]] FailedAtRow get() const { return {row_, cause_, inner_}; }
  // Throws it if there was one.
  void raise() const {
    if (cause_) throw get();
  }

 private:
  std::int64_t row_ = 0;
  std::exception_ptr cause_;
  std::string inner_;
};

}  // namespace penstock::graph
