#include "penstock/ops/compiled/made_rows.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <stdexcept>
#include <utility>

#include "penstock/tuple/bits.hpp"
#include "penstock/tuple/own_array.hpp"

namespace penstock::ops {

namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kFirstBytes = 4096;  // of a string column

bool is_bytes(const tuple::Field& field) noexcept { return field.kind == tuple::Kind::kBytes; }

// Of a value while it is being made.
std::int64_t width_of(const tuple::Field& field) noexcept {
  return field.kind == tuple::Kind::kBool ? 1 : field.width;
}

std::int64_t add_validity(const std::uint8_t* valid, std::int64_t rows, tuple::OwnArray& array) {
  if (std::memchr(valid, 0, static_cast<std::size_t>(rows)) == nullptr) {
    array.skip_buffer();
    return 0;
  }
  auto* const bits = array.add_buffer<std::uint8_t>((rows + 7) / 8);
  return rows -
         tuple::write_bits(bits, rows, [valid](std::int64_t row) { return valid[row] != 0; });
}

void copy(void* to, const void* from, std::int64_t bytes) {
  if (bytes != 0) std::memcpy(to, from, static_cast<std::size_t>(bytes));
}

}  // namespace

void MadeRows::Room::reserve(std::int64_t bytes) {
  if (bytes <= size_ && memory_) return;
  const std::int64_t wanted = std::max<std::int64_t>(bytes, 64);
  void* const old = memory_.release();
  // NOLINTNEXTLINE(*-no-malloc,*-owning-memory): growing in place is what it is for
  void* const moved = std::realloc(old, static_cast<std::size_t>(wanted));
  memory_.reset(moved == nullptr ? old : moved);
  if (moved == nullptr) throw std::bad_alloc();
  size_ = wanted;
}

void MadeRows::begin(std::span<const tuple::Field> fields, std::int64_t rows,
                     penstock_frame& frame) {
  fields_ = fields;
  clear();
  refusal_.clear();
  if (columns_.size() < fields.size()) columns_.resize(fields.size());
  outputs_.assign(fields.size(), {});
  capacity_ = 0;
  make_room(rows);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (is_bytes(fields[i])) columns_[i].values.reserve(kFirstBytes);
  }
  frame.made = 0;
  frame.grow = grow;
  frame.grow_bytes = grow_bytes;
  frame.host = this;
  show(frame);
}

void MadeRows::make_room(std::int64_t rows) {
  from_.reserve(rows * std::int64_t{sizeof(std::int32_t)});
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    columns_[i].valid.reserve(rows);
    if (is_bytes(fields_[i])) {
      columns_[i].ends.reserve(rows * std::int64_t{sizeof(std::int32_t)});
    } else {
      columns_[i].values.reserve(rows * width_of(fields_[i]));
    }
  }
  capacity_ = rows;
}

void MadeRows::show(penstock_frame& frame) noexcept {
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    const Column& column = columns_[i];
    penstock_output& output = outputs_[i];
    output.values = column.values.as<void>();
    output.valid = column.valid.as<std::uint8_t>();
    if (!is_bytes(fields_[i])) continue;
    output.ends = column.ends.as<std::int32_t>();
    output.byte_capacity = column.values.size();
  }
  frame.out = outputs_.data();
  frame.from = from_.as<std::int32_t>();
  frame.capacity = capacity_;
}

std::int32_t MadeRows::grow(penstock_frame* frame, std::int64_t more_rows) noexcept {
  auto& self = *static_cast<MadeRows*>(frame->host);
  try {
    const std::int64_t wanted = frame->made + std::max<std::int64_t>(more_rows, 0);
    if (wanted > kMost) {
      self.refusal_ = "made more than " + std::to_string(kMost) + " rows of one tuple";
      return 1;
    }
    if (wanted > self.capacity_) {
      self.make_room(std::min(std::max(wanted, 2 * self.capacity_), kMost));
    }
    self.show(*frame);
    return 0;
  } catch (const std::bad_alloc&) {
    self.refusal_ = "no memory for more rows";
    return 1;
  }
}

std::int32_t MadeRows::grow_bytes(penstock_frame* frame, std::int64_t column,
                                  std::int64_t more_bytes) noexcept {
  auto& self = *static_cast<MadeRows*>(frame->host);
  try {
    const auto place = static_cast<std::size_t>(column);
    if (column < 0 || place >= self.fields_.size() || !is_bytes(self.fields_[place])) {
      self.refusal_ = "asked for more bytes of output column " + std::to_string(column) +
                      ", which is no string or binary";
      return 1;
    }
    Room& values = self.columns_[place].values;
    const std::int64_t wanted = self.outputs_[place].bytes + std::max<std::int64_t>(more_bytes, 0);
    if (wanted > kMost) {
      self.refusal_ = "column " + tuple::describe(self.fields_[place]) + " would take " +
                      std::to_string(wanted) + " bytes of one tuple, and its type can hold " +
                      std::to_string(kMost) +
                      ": make fewer or shorter ones, or tuples of fewer rows";
      return 1;
    }
    if (wanted > values.size())
      values.reserve(std::min(std::max(wanted, 2 * values.size()), kMost));
    self.show(*frame);
    return 0;
  } catch (const std::bad_alloc&) {
    self.refusal_ = "no memory for more bytes";
    return 1;
  }
}

void MadeRows::finish(const penstock_frame& frame) {
  if (frame.made < 0 || frame.made > capacity_) {
    throw std::logic_error("the compiled function says that it made " + std::to_string(frame.made) +
                           " rows, and had room for " + std::to_string(capacity_) +
                           "; it has to ask for more with grow()");
  }
  made_ = frame.made;
  try {
    check_rows(frame);
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      if (is_bytes(fields_[i])) check_bytes(i);
    }
  } catch (...) {
    made_ = 0;
    throw;
  }
}

void MadeRows::check_rows(const penstock_frame& frame) {
  std::int64_t at = 0;  // in the rows to work on
  std::int32_t last = -1;
  for (const std::int32_t row : from()) {
    if (row < last) {
      throw std::logic_error("the compiled function made a row from row " + std::to_string(row) +
                             " after one from row " + std::to_string(last) +
                             "; `from` must not descend");
    }
    if (frame.row == nullptr) {
      at = std::max<std::int64_t>(row, 0);
    } else {
      while (at < frame.rows && frame.row[at] < row) ++at;
    }
    if (row < 0 || at >= frame.rows || (frame.row != nullptr && frame.row[at] != row)) {
      throw std::logic_error("the compiled function made a row from row " + std::to_string(row) +
                             ", which it was not given");
    }
    repeats_ = repeats_ || row == last;
    last = row;
  }
}

void MadeRows::check_bytes(std::size_t column) const {
  const std::int64_t room = columns_[column].values.size();
  std::int32_t last = 0;
  for (const auto end :
       std::span(columns_[column].ends.as<std::int32_t>(), static_cast<std::size_t>(made_))) {
    if (end < last || end > room) {
      throw std::logic_error("the compiled function ended a value of column " +
                             tuple::describe(fields_[column]) + " at byte " + std::to_string(end) +
                             ", behind one that ended at byte " + std::to_string(last) +
                             " and with room for " + std::to_string(room) + " bytes");
    }
    last = end;
  }
}

std::int64_t MadeRows::before(std::int64_t row) const noexcept {
  const auto all = from();
  if (all.empty() || all.back() < row) return made_;
  return std::ranges::lower_bound(all, row) - all.begin();
}

std::optional<std::int32_t> MadeRows::null_from(std::size_t column) const noexcept {
  const auto* const valid = columns_[column].valid.as<std::uint8_t>();
  const auto* const null = std::memchr(valid, 0, static_cast<std::size_t>(made_));
  if (null == nullptr) return std::nullopt;
  return from()[static_cast<std::size_t>(static_cast<const std::uint8_t*>(null) - valid)];
}

tuple::Batch MadeRows::columns(std::int64_t rows) const {
  tuple::OwnArray root(rows);
  root.skip_buffer();
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    const Column& column = columns_[i];
    tuple::OwnArray array(rows);
    const auto nulls = add_validity(column.valid.as<std::uint8_t>(), rows, array);
    const auto* const values = column.values.as<std::uint8_t>();
    if (is_bytes(fields_[i])) {
      auto* const offsets = array.add_buffer<std::int32_t>(rows + 1);
      const auto* const ends = column.ends.as<std::int32_t>();
      offsets[0] = 0;
      copy(offsets + 1, ends, rows * std::int64_t{sizeof(std::int32_t)});
      const std::int64_t size = offsets[rows];
      copy(array.add_buffer<std::uint8_t>(size), values, size);
    } else if (fields_[i].kind == tuple::Kind::kBool) {
      auto* const bits = array.add_buffer<std::uint8_t>((rows + 7) / 8);
      tuple::write_bits(bits, rows, [values](std::int64_t row) { return values[row] != 0; });
    } else {
      const std::int64_t size = rows * fields_[i].width;
      copy(array.add_buffer<std::uint8_t>(size), values, size);
    }
    root.add_child(std::move(array).finish(nulls));
  }
  return std::move(root).finish_batch();
}

std::size_t MadeRows::bytes() const noexcept {
  std::int64_t taken = from_.size();
  for (const Column& column : columns_) {
    taken += column.values.size() + column.valid.size() + column.ends.size();
  }
  return static_cast<std::size_t>(taken);
}

}  // namespace penstock::ops
