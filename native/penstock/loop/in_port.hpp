#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "penstock/tuple/batch.hpp"
#include "penstock/tuple/concat.hpp"
#include "penstock/tuple/gather.hpp"
#include "penstock/tuple/schema.hpp"

namespace penstock::loop {

// Where the rows for one input of a loop wait until it takes them.
class InPort {
 public:
  // `loop` is the operator's name, for what goes wrong. Throws std::invalid_argument, naming the
  // column, for columns whose rows cannot be moved.
  InPort(std::string loop, std::string name, const tuple::Schema& schema);

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  // That wait.
  [[nodiscard]] std::int64_t rows() const noexcept { return rows_; }
  // No more will come.
  [[nodiscard]] bool closed() const noexcept { return closed_; }

  // Exactly so many of the rows that wait, joined only if they came in more than one batch. Throws
  // std::out_of_range if fewer wait.
  [[nodiscard]] tuple::Batch take(std::int64_t rows);
  // All that wait.
  [[nodiscard]] tuple::Batch take() { return take(rows_); }
  // What is left of the batch in front, as it came: never copied. Empty if no row waits.
  [[nodiscard]] tuple::Batch take_batch();
  // The same, without taking it.
  [[nodiscard]] const tuple::Batch& front() const noexcept {
    return rows_ == 0 ? empty_ : waiting_[gone_];
  }

  // By whoever drives the loop.
  void arrive(tuple::Batch batch);
  void close() noexcept { closed_ = true; }

 private:
  // No more than the first batch that waits has.
  [[nodiscard]] tuple::Batch take_of_front(std::int64_t rows);
  [[nodiscard]] tuple::Batch join(std::span<const tuple::Batch> parts) const;

  std::string loop_;
  std::string name_;
  tuple::Concatenator concatenator_;
  tuple::Gatherer gatherer_;
  tuple::Batch empty_;
  std::vector<tuple::Batch> waiting_;  // from gone_ on
  std::size_t gone_ = 0;
  std::int64_t rows_ = 0;
  bool closed_ = false;
};

}  // namespace penstock::loop
