#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "penstock/tuple/batch.hpp"

namespace penstock::loop {

// The rows of one tuple on their way to the ports of a loop, piece by piece: either all of them
// for one port, or, in a tagged stream, each for the port that its first column (int8) names. A
// row there with the tag ~n says that no more come for port n.
class Arrivals {
 public:
  // `columns` says for each port of a tagged stream which columns of it are the port's; none for
  // tuples that are for one port each.
  Arrivals(std::string loop, std::vector<std::vector<int>> columns)
      : loop_(std::move(loop)), columns_(std::move(columns)) {}

  // Only when empty(). `port` does not matter in a tagged stream.
  void set(tuple::Batch batch, int port);
  void clear() noexcept;

  [[nodiscard]] bool empty() const noexcept { return next_ == end_; }
  // For which port the next rows are, and the row of the tuple they begin at; unless empty. Throws
  // std::invalid_argument for a tag that names no port.
  [[nodiscard]] int next_port();
  // Behind next_port(): whether the next row closes that port; then it is skipped, not taken.
  [[nodiscard]] bool closes() const noexcept { return closes_; }
  void skip() noexcept;
  [[nodiscard]] std::int64_t next_row() const noexcept { return next_; }
  // At most so many of the rows for that port.
  [[nodiscard]] tuple::Batch take(std::int64_t most);

 private:
  void find_run();
  [[nodiscard]] const tuple::Batch& view();

  std::string loop_;
  std::vector<std::vector<int>> columns_;  // by port
  tuple::Batch batch_;
  std::vector<tuple::Batch> views_;  // by port, once needed: the batch without what is not its
  int port_ = 0;
  bool closes_ = false;
  std::int64_t next_ = 0;
  std::int64_t run_end_ = 0;
  std::int64_t end_ = 0;
};

}  // namespace penstock::loop
