#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "penstock/base/tally.hpp"
#include "penstock/ops/keyed_rows.hpp"
#include "penstock/ops/window_values.hpp"
#include "penstock/region/late_rows.hpp"

namespace penstock::ops {

struct WindowOptions {
  static constexpr int kNoColumn = -1;

  KeyedRows::Options keyed;
  std::vector<int> shown;  // the columns of the key, as the output begins with them
  std::vector<Aggregate> aggregates;
  bool flush = false;  // whether windows that are open at the end leave
  // The column that places a row, in whose units the lengths below are; those of doubles are bits
  // of a double. Windows of rows have none, and lengths in rows.
  int on = kNoColumn;
  std::int64_t size = 0;
  std::int64_t every = 0;
  std::int64_t offset = 0;
  // How far the watermark of a key is behind its latest time. Without one no window closes before
  // the end.
  std::optional<std::int64_t> watermark;
  bool late_fails = false;  // a row whose windows have all closed; else it is left out
};

// The base of operators that gather the rows of a key in windows, and make a row of each window
// when it closes: the key, the window's bounds, and aggregates of its rows. Kinds of windows differ
// in where a row belongs and what it closes.
class Windows : public KeyedRows, public region::LateRows {
 public:
  [[nodiscard]] std::int64_t late() const noexcept final { return late_.value(); }

 protected:
  // Where a window begins and ends, in the units of the column that places rows.
  struct Bounds {
    std::int64_t start;
    std::int64_t end;
  };

  // `values` are the aggregates, of columns of the input or of such as were kept.
  Windows(const tuple::Schema& input, const tuple::Schema& output, const WindowOptions& options,
          WindowValues values);

  // A batch comes.
  virtual void begin() {}
  // A row of key `id` that is at `place`; its windows may be noted, others closed.
  virtual void take(std::int32_t row, std::uint32_t id, std::int64_t place) = 0;
  // Closes what is open, at the end: in the order in which it would have closed.
  virtual void close_all(std::uint32_t id) = 0;
  virtual void save_open(std::uint32_t id, std::string& out) const = 0;
  virtual void restore_open(std::uint32_t id, tuple::ValueReader& saved) = 0;
  virtual void forget_open(std::uint32_t id) noexcept = 0;
  [[nodiscard]] virtual std::size_t open_bytes() const noexcept = 0;
  // What of it is for one key, and how many windows have a slot in values().
  struct Held {
    std::size_t bytes = 0;
    std::size_t slots = 0;
  };
  [[nodiscard]] virtual Held held_by(std::uint32_t id) const noexcept = 0;
  virtual void reserve_open(std::uint32_t limit) = 0;

  // The window leaves because of that row.
  void close(std::uint32_t slot, Bounds bounds, std::uint32_t id, std::int32_t row);
  // The row came too late for any window. Throws if the options say so.
  void leave_out_late(std::int32_t row, std::int64_t place);
  // Throws for a place too far off to add a length to it.
  void check_distance(std::int32_t row, std::int64_t place) const;

  [[nodiscard]] WindowValues& values() noexcept { return values_; }
  [[nodiscard]] const WindowValues& values() const noexcept { return values_; }
  [[nodiscard]] const WindowOptions& options() const noexcept { return options_; }
  [[nodiscard]] const tuple::Batch& batch() const noexcept { return batch_; }
  [[nodiscard]] bool is_float() const noexcept { return on_.kind == tuple::Kind::kFloat; }

  void work(const tuple::Batch& batch, std::span<const std::uint32_t> ids, Made& made) final;
  void flush(std::uint32_t id, Made& made) final;
  void reserve(std::uint32_t limit) final;
  void save(std::uint32_t id, std::string& out) const final;
  void restore(std::uint32_t id, std::string_view saved) final;
  void forget(std::uint32_t id) noexcept final;
  [[nodiscard]] std::size_t state_bytes() const noexcept final;
  [[nodiscard]] std::size_t bytes_of(std::uint32_t id) const noexcept final;

 private:
  struct Closed {
    std::uint32_t slot;
    std::uint32_t id;
    std::int32_t row;
    Bounds bounds;
  };

  void take_all(std::span<const std::uint32_t> ids);
  // Gives out the windows that rows before this one closed.
  void give_out(std::int64_t before, Made& made);
  void append_bound(std::int64_t bound, std::string& out) const;

  WindowOptions options_;
  WindowValues values_;
  tuple::Field on_;     // what places rows
  tuple::Field bound_;  // of the output
  tuple::RowCodec key_codec_;
  std::vector<std::string> keys_;  // as the output has them, by number
  std::size_t key_bytes_ = 0;
  tuple::Batch batch_;  // being worked on
  std::vector<Closed> closed_;
  base::Tally<> late_;
};

}  // namespace penstock::ops
