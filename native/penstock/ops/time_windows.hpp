#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "penstock/ops/windows.hpp"

namespace penstock::ops {

// Windows [start, start + size) of time, one at every multiple of `every` behind `offset`. A row is
// in all that hold its time and have not closed. The watermark of a key is its latest time less a
// delay, and closes the windows that end there or before.
//
// Every key has its own watermark: a common one would make what a key gets depend on other keys,
// and these are on other channels.
class TimeWindows final : public Windows {
 public:
  TimeWindows(const tuple::Schema& input, const tuple::Schema& output,
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
    std::int64_t start;
    std::uint32_t slot;
  };
  struct Known {
    std::optional<std::int64_t> latest;
    std::vector<Open> open;  // by start, and so by end
  };

  // The window that begins there.
  [[nodiscard]] std::uint32_t slot_at(std::int64_t start, Known& known);
  // Closes the windows that end by `until`.
  void close_until(std::int64_t until, Known& known, std::uint32_t id, std::int32_t row);

  std::vector<Known> known_;
  std::size_t open_ = 0;
};

}  // namespace penstock::ops
