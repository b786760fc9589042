#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "penstock/ops/window_kept.hpp"
#include "penstock/ops/windows.hpp"

namespace penstock::ops {

// Windows of rows of which none is more than `size` of time from the next: [first time, last time +
// size). A row that comes late enough to lie between two sessions makes them one, so rows are kept
// until their session closes. Watermarks are those of TimeWindows.
class SessionWindows final : public Windows {
 public:
  SessionWindows(const tuple::Schema& input, const tuple::Schema& output,
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
    std::int64_t arrival;  // number among the rows of its key
    std::string kept;
  };
  struct Session {
    std::int64_t first = 0;
    std::int64_t last = 0;
    std::vector<Row> rows;  // by arrival
    std::size_t bytes = sizeof(Session);
  };
  struct Known {
    std::optional<std::int64_t> latest;
    std::int64_t rows = 0;
    std::vector<Session> sessions;  // by time; no two touch
  };

  SessionWindows(const tuple::Schema& input, const tuple::Schema& output,
                 const WindowOptions& options, KeptColumns kept);

  void add(std::int64_t place, Row row, Known& known);
  void put(Row row, Session& session);
  // Closes the sessions that end by `until`.
  void close_until(std::int64_t until, Known& known, std::uint32_t id, std::int32_t row);

  KeptColumns kept_;
  std::vector<Known> known_;
  std::size_t bytes_ = 0;  // of sessions
};

}  // namespace penstock::ops
