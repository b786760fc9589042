#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "penstock/ops/keyed_rows.hpp"
#include "penstock/ops/two_sides.hpp"
#include "penstock/tuple/row_codec.hpp"

namespace penstock::ops {

// Adds to each left row of a tagged stream the last right row of its key that came before it. The
// times of a key must not descend, so that is the right row whose time is the last up to its own.
class AsofJoin final : public KeyedRows {
 public:
  // A right row that is earlier by more than `tolerance` does not count.
  AsofJoin(const tuple::Schema& input, const tuple::Schema& output, TwoSides sides,
           std::optional<std::int64_t> tolerance, const Options& options);

 private:
  struct Known {
    std::int64_t latest = std::numeric_limits<std::int64_t>::min();  // of both sides
    std::int64_t time = 0;
    std::optional<std::string> right;
  };

 protected:
  void work(const tuple::Batch& batch, std::span<const std::uint32_t> ids, Made& made) override;
  void reserve(std::uint32_t limit) override {
    if (known_.size() < limit) known_.resize(limit);
  }
  void save(std::uint32_t id, std::string& out) const override;
  void restore(std::uint32_t id, std::string_view saved) override;
  void forget(std::uint32_t id) noexcept override;
  [[nodiscard]] std::size_t state_bytes() const noexcept override;
  [[nodiscard]] std::size_t bytes_of(std::uint32_t id) const noexcept override;

 private:
  [[nodiscard]] bool is_near(const Known& known, std::int64_t time) const noexcept;
  void remember(Known& known, std::int64_t time, std::string right);

  TwoSides sides_;
  std::optional<std::int64_t> tolerance_;
  tuple::RowCodec codec_;
  std::string nothing_;
  std::vector<Known> known_;
  std::size_t row_bytes_ = 0;
};

}  // namespace penstock::ops
