#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "penstock/ops/windows.hpp"

namespace penstock::ops {

// Windows of the last `size` rows of a key, one behind every `every` rows: SPL's
// sliding(count(size), count(every)), or tumbling(count(size)) where both are the same. The first
// ones hold fewer rows. The bounds are numbers of rows of the key, from 0, the end excluded.
class RowWindows final : public Windows {
 public:
  RowWindows(const tuple::Schema& input, const tuple::Schema& output, const WindowOptions& options);

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
  struct Known {
    std::int64_t rows = 0;
    std::vector<std::uint32_t> open;  // slots; the first window to end first
  };

  std::vector<Known> known_;
  std::size_t open_ = 0;
};

}  // namespace penstock::ops
