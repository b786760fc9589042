#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "penstock/ops/front_queue.hpp"
#include "penstock/ops/keyed_rows.hpp"
#include "penstock/ops/two_sides.hpp"
#include "penstock/tuple/row_codec.hpp"

namespace penstock::ops {

// Joins the two branches of a tagged stream by key: every row meets the rows of the other branch
// that came before it, in the order of their times and then of their coming.
//
// With a span of time, rows meet whose times differ by no more, and a row is forgotten as soon as
// a row of its key is later by more than that.
class Join final : public KeyedRows {
 public:
  struct Span {
    std::int64_t within = 0;
  };
  enum class Unmatched { kDropped, kLeftLeave };

  Join(const tuple::Schema& input, const tuple::Schema& output, TwoSides sides,
       std::optional<Span> span, Unmatched unmatched, const Options& options);

 private:
  struct Row {
    std::int64_t time = 0;
    bool met = false;
    std::string bytes;
  };
  using Rows = FrontQueue<Row>;
  struct Known {
    std::int64_t latest = std::numeric_limits<std::int64_t>::min();
    Rows left;
    Rows right;
  };

 protected:
  void work(const tuple::Batch& batch, std::span<const std::uint32_t> ids, Made& made) override;
  void flush(std::uint32_t id, Made& made) override;
  void reserve(std::uint32_t limit) override {
    if (known_.size() < limit) known_.resize(limit);
  }
  void save(std::uint32_t id, std::string& out) const override;
  void restore(std::uint32_t id, std::string_view saved) override;
  void forget(std::uint32_t id) noexcept override;
  [[nodiscard]] std::size_t state_bytes() const noexcept override;
  [[nodiscard]] std::size_t bytes_of(std::uint32_t id) const noexcept override;

 private:
  void meet(Known& known, Side side, Row row, std::int32_t from, Made& made);
  void expire(Known& known, std::int32_t from, Made& made);
  void give_unmatched(std::string_view left, std::int32_t from, Made& made);
  void keep(Rows& rows, Row row);

  TwoSides sides_;
  std::optional<Span> span_;
  Unmatched unmatched_;
  tuple::RowCodec codec_;
  std::string nothing_;
  std::vector<Known> known_;
  std::size_t row_bytes_ = 0;
  std::string made_row_;
};

}  // namespace penstock::ops
