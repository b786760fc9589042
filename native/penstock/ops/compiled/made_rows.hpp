#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "penstock/tuple/batch.hpp"
#include "penstock/tuple/field.hpp"

#include "penstock_operator.h"

namespace penstock::ops {

// The rows that a compiled function makes in one call: room that it fills and may ask to grow, and
// what becomes of it. Kept by its user and filled by one call after another, so that room is made
// once.
class MadeRows {
 public:
  MadeRows() = default;
  // A frame knows where this is.
  MadeRows(const MadeRows&) = delete;
  MadeRows& operator=(const MadeRows&) = delete;
  MadeRows(MadeRows&&) = delete;
  MadeRows& operator=(MadeRows&&) = delete;
  ~MadeRows() = default;

  // Forgets what was made, and gives the frame room for so many rows of these columns, which must
  // outlive the call.
  void begin(std::span<const tuple::Field> fields, std::int64_t rows, penstock_frame& frame);

  // Forgets what was made.
  void clear() noexcept {
    made_ = 0;
    repeats_ = false;
  }

  // Takes over what the frame says was made of the rows it was given. Throws std::logic_error,
  // saying what, if that cannot be: nothing is made then.
  void finish(const penstock_frame& frame);

  // Why more room was refused, if it was.
  [[nodiscard]] const std::string& refusal() const noexcept { return refusal_; }

  // For each row made the row it came from; these do not descend.
  [[nodiscard]] std::span<const std::int32_t> from() const noexcept {
    return {from_.as<std::int32_t>(), static_cast<std::size_t>(made_)};
  }
  // How many of them came from rows before this one.
  [[nodiscard]] std::int64_t before(std::int64_t row) const noexcept;
  // Whether more than one came from the same row.
  [[nodiscard]] bool repeats() const noexcept { return repeats_; }

  // The row that the first row with a null in that column came from, if there is one.
  [[nodiscard]] std::optional<std::int32_t> null_from(std::size_t column) const noexcept;

  // The first so many rows.
  [[nodiscard]] tuple::Batch columns(std::int64_t rows) const;

  // Memory taken.
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  // Raw memory that keeps what is in it when it grows.
  class Room {
   public:
    // Throws std::bad_alloc.
    void reserve(std::int64_t bytes);
    [[nodiscard]] std::int64_t size() const noexcept { return size_; }
    template <typename Value>
    [[nodiscard]] Value* as() const noexcept {
      return static_cast<Value*>(memory_.get());
    }

   private:
    struct Free {
      // NOLINTNEXTLINE(*-no-malloc,*-owning-memory): it is grown by realloc
      void operator()(void* memory) const noexcept { std::free(memory); }
    };

    std::unique_ptr<void, Free> memory_;
    std::int64_t size_ = 0;
  };
  struct Column {
    Room values;
    Room valid;
    Room ends;
  };

  static std::int32_t grow(penstock_frame* frame, std::int64_t more_rows) noexcept;
  static std::int32_t grow_bytes(penstock_frame* frame, std::int64_t column,
                                 std::int64_t more_bytes) noexcept;

  void make_room(std::int64_t rows);
  // Says where the room is.
  void show(penstock_frame& frame) noexcept;
  void check_rows(const penstock_frame& frame);
  void check_bytes(std::size_t column) const;

  std::span<const tuple::Field> fields_;
  std::vector<Column> columns_;  // at least as many as fields
  std::vector<penstock_output> outputs_;
  Room from_;
  std::int64_t capacity_ = 0;
  std::int64_t made_ = 0;
  bool repeats_ = false;
  std::string refusal_;
};

}  // namespace penstock::ops
