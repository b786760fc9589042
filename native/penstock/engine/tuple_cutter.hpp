#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>

#include "penstock/elastic/tuple_length.hpp"
#include "penstock/tuple/stream.hpp"
#include "penstock/tuple/tuple.hpp"

namespace penstock::engine {

// Cuts the batches of the input into tuples and remembers which input rows they are.
class TupleCutter {
 public:
  struct Length {
    std::int64_t rows = 0;  // at most; 0 for whole batches,
    bool by_cost = false;   // or else for as many as several threads share well, going by took()
  };

  TupleCutter(std::unique_ptr<tuple::InputStream> input, Length length);

  // A tuple of so many rows kept threads for so long; 0 if it was not timed.
  void took(std::int64_t rows, std::chrono::nanoseconds time) noexcept { found_.took(rows, time); }

  // Rows are there to be cut.
  [[nodiscard]] bool has_rows() const noexcept { return pending_.rows() > 0; }
  // Needs has_rows().
  [[nodiscard]] tuple::Tuple cut();

  // Asks the input for another batch, unless it has ended.
  void pull();
  // Nobody wants more: as if it had ended, well, before what was not cut.
  void stop() noexcept;
  [[nodiscard]] bool ended() const noexcept { return ended_; }
  // How it ended, unless well: what came before is to be delivered first.
  [[nodiscard]] const std::exception_ptr& error() const noexcept { return error_; }
  // Behind the last row that was cut.
  [[nodiscard]] std::int64_t next_row() const noexcept { return next_row_; }

  // Gives the input back, with whatever was not cut.
  void close() noexcept;

 private:
  [[nodiscard]] std::int64_t rows_of_next() const noexcept;

  std::unique_ptr<tuple::InputStream> input_;
  Length length_;
  elastic::TupleLength found_;
  tuple::Batch pending_;
  std::int64_t next_row_ = 0;  // of the partition: the first row of `pending_`
  bool ended_ = false;
  std::exception_ptr error_;
};

}  // namespace penstock::engine
