#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "penstock/ops/front_queue.hpp"
#include "penstock/ops/keyed_rows.hpp"
#include "penstock/tuple/row_codec.hpp"

namespace penstock::ops {

// Merges the branches of a tagged stream by a column in which each ascends: a row waits until every
// branch has shown a row at least as late, or the input ends. Equal ones leave by branch.
class OrderedUnion final : public KeyedRows {
 public:
  OrderedUnion(const tuple::Schema& input, const tuple::Schema& output, int branches,
               int order_column, const Options& options);

 private:
  struct Row {
    std::string order;  // compares as the column does
    std::string bytes;
  };
  struct Branch {
    bool shown = false;
    std::string latest;
    FrontQueue<Row> waiting;
  };

 protected:
  void work(const tuple::Batch& batch, std::span<const std::uint32_t> ids, Made& made) override;
  void flush(std::uint32_t id, Made& made) override;
  void reserve(std::uint32_t /*limit*/) override {}  // all rows have one key
  void save(std::uint32_t id, std::string& out) const override;
  void restore(std::uint32_t id, std::string_view saved) override;
  void forget(std::uint32_t id) noexcept override;
  [[nodiscard]] std::size_t state_bytes() const noexcept override { return row_bytes_; }

 private:
  // The branch whose row leaves next; null if none waits.
  [[nodiscard]] Branch* next() noexcept;
  [[nodiscard]] const std::string* all_have_shown() const noexcept;
  void wait(Branch& branch, Row row);
  void leave(Branch& branch, std::int32_t from, Made& made);

  tuple::RowCodec codec_;
  int order_column_;
  std::vector<Branch> branches_;
  std::size_t row_bytes_ = 0;
};

}  // namespace penstock::ops
