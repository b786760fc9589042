#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "penstock/ops/windows.hpp"

namespace penstock::ops {

// How far apart two places are, where those of a column of doubles are bits of them.
[[nodiscard]] bool is_farther(std::int64_t one, std::int64_t other, std::int64_t than,
                              bool is_float) noexcept;

// Windows of rows that lie within `size` of the first of them: SPL's tumbling(delta(column, size)).
// The row that is farther off begins the next. The bounds are the places of the first and the last
// row.
class DeltaWindows final : public Windows {
 public:
  DeltaWindows(const tuple::Schema& input, const tuple::Schema& output,
               const WindowOptions& options);

 protected:
  void take(std::int32_t row, std::uint32_t id, std::int64_t place) override;
  void close_all(std::uint32_t id) override;
  void save_open(std::uint32_t id, std::string& out) const override;
  void restore_open(std::uint32_t id, tuple::ValueReader& saved) override;
  void forget_open(std::uint32_t id) noexcept override;
  [[nodiscard]] std::size_t open_bytes() const noexcept override;
  [[nodiscard]] Held held_by(std::uint32_t id) const noexcept override;
  void reserve_open(std::uint32_t limit) override;

 private:
  struct Open {
    Bounds bounds;
    std::uint32_t slot;
  };

  std::vector<std::optional<Open>> known_;
};

}  // namespace penstock::ops
