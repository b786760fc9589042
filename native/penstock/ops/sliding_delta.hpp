#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "penstock/ops/window_kept.hpp"
#include "penstock/ops/windows.hpp"

namespace penstock::ops {

// The rows of a key that are not farther than `size` from the newest, the oldest leaving first:
// SPL's sliding(delta(column, size), delta(column, every)). A row that is farther than `every` from
// the one at which a window last closed closes the window as it is before that row. The bounds are
// the places of the oldest and the newest row.
class SlidingDelta final : public Windows {
 public:
  SlidingDelta(const tuple::Schema& input, const tuple::Schema& output,
               const WindowOptions& options);

 protected:
  void begin() override { kept_.begin(batch()); }
  void take(std::int32_t row, std::uint32_t id, std::int64_t place) override;
  void close_all(std::uint32_t id) override;
  void save_open(std::uint32_t id, std::string& out) const override;
  void restore_open(std::uint32_t id, tuple::ValueReader& saved) override;
  void forget_open(std::uint32_t id) noexcept override;
  [[nodiscard]] std::size_t open_bytes() const noexcept override;
  [[nodiscard]] Held held_by(std::uint32_t id) const noexcept override;
  void reserve_open(std::uint32_t limit) override;

 private:
  struct Row {
    std::int64_t place;
    std::string kept;
  };
  struct Known {
    std::int64_t closed_at = 0;  // or where it began
    std::vector<Row> rows;
    std::size_t gone = 0;  // of the first rows; they are erased many at a time
  };

  SlidingDelta(const tuple::Schema& input, const tuple::Schema& output,
               const WindowOptions& options, KeptColumns kept);

  void put(Row row, Known& known);
  void close_now(const Known& known, std::uint32_t id, std::int32_t row);

  KeptColumns kept_;
  std::vector<Known> known_;
  std::size_t bytes_ = 0;  // of rows
};

}  // namespace penstock::ops
