#pragma once

#include <cstdint>
#include <optional>

#include "penstock/graph/operator.hpp"
#include "penstock/tuple/batch.hpp"

namespace penstock::ops {

// Passes every row on and puts marks (S15) behind some of them: every so many rows, or behind each
// for which a boolean column is true.
class Punctuate final : public graph::Operator {
 public:
  struct Where {
    std::int64_t every = 0;     // 0: not by number
    std::optional<int> column;  // none: not by column
  };

  // Throws std::invalid_argument unless one of the two is given.
  explicit Punctuate(Where where);

  void process(const tuple::Tuple& tuple, int port, graph::Output& output) override;

 private:
  // Behind how many of the rows from `first` on the next mark comes; all of them if none does.
  [[nodiscard]] std::int64_t rows_up_to_mark(const tuple::Batch& batch, std::int64_t first,
                                             bool& mark) const;

  Where where_;
  std::int64_t since_mark_ = 0;  // rows
};

}  // namespace penstock::ops
