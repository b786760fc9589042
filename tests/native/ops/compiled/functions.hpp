#pragma once

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "penstock/graph/operator.hpp"
#include "penstock/ops/compiled/compiled_function.hpp"

#include "support/arrow_reading.hpp"
#include "support/arrow_values.hpp"

namespace penstock::support {

// What an operator emitted, one batch behind the other.
class Emitted final : public graph::Output {
 public:
  void emit(tuple::Batch batch, int port) override {
    emit_rows(std::move(batch), {}, port);
    told = false;
  }
  void emit_rows(tuple::Batch batch, std::span<const std::int32_t> rows, int /*port*/) override {
    batches.push_back(std::move(batch));
    from.insert(from.end(), rows.begin(), rows.end());
  }
  void punctuate(int /*port*/) override {}
  [[nodiscard]] int ports() const override { return 1; }

  [[nodiscard]] std::vector<Values> read(const std::vector<Type>& types) const {
    std::vector<Values> all(types.size());
    for (const tuple::Batch& batch : batches) {
      const auto columns = read_batch(types, batch);
      for (std::size_t i = 0; i < types.size(); ++i) {
        all[i].insert(all[i].end(), columns[i].begin(), columns[i].end());
      }
    }
    return all;
  }

  std::vector<tuple::Batch> batches;
  std::vector<std::int32_t> from;
  bool told = true;  // whether it always said from which rows they came
};

inline tuple::Tuple tuple_of(tuple::Batch batch) {
  const auto rows = batch.rows();
  return {.batch = std::move(batch), .origin = {.count = rows}};
}

inline ops::CompiledFunction compiled(const std::vector<Type>& input, penstock_process process) {
  return {make_schema(input), std::nullopt, {.process = process, .owner = {}, .columns = {}}};
}

inline ops::CompiledFunction compiled(const std::vector<Type>& input,
                                      const std::vector<Type>& output, penstock_process process) {
  return {
      make_schema(input), make_schema(output), {.process = process, .owner = {}, .columns = {}}};
}

// How functions below read and write: as penstock_operator.h says, and with nothing of the engine.
inline std::int64_t place_of(const penstock_frame& frame, std::int64_t i) {
  return frame.row == nullptr ? i : frame.row[i];
}

inline bool is_valid(const penstock_column& column, std::int64_t row) {
  const std::int64_t bit = column.bit + row;
  return column.validity == nullptr || ((column.validity[bit / 8] >> (bit % 8)) & 1) != 0;
}

template <typename Number>
Number number_at(const penstock_column& column, std::int64_t row) {
  return static_cast<const Number*>(column.values)[row];
}

// Ends the call at the i-th row to work on.
inline std::int32_t fail(penstock_frame* frame, std::int64_t i, const char* why) {
  frame->failed = i;
  std::snprintf(frame->message, PENSTOCK_MESSAGE_BYTES, "%s", why);
  return 1;
}

// Makes room for a row and says where it is from; its place.
inline std::int64_t add_row(penstock_frame* frame, std::int64_t from) {
  if (frame->made == frame->capacity && frame->grow(frame, 1) != 0) return -1;
  frame->from[frame->made] = static_cast<std::int32_t>(from);
  return frame->made++;
}

template <typename Number>
void put_number(penstock_frame* frame, std::size_t column, std::int64_t row, Number value) {
  static_cast<Number*>(frame->out[column].values)[row] = value;
  frame->out[column].valid[row] = 1;
}

inline void put_bytes(penstock_frame* frame, std::size_t column, std::int64_t row,
                      std::span<const char> bytes) {
  const auto size = std::ssize(bytes);
  if (frame->out[column].bytes + size > frame->out[column].byte_capacity) {
    if (frame->grow_bytes(frame, static_cast<std::int64_t>(column), size) != 0) return;
  }
  penstock_output& out = frame->out[column];
  if (size != 0)
    std::memcpy(static_cast<char*>(out.values) + out.bytes, bytes.data(), bytes.size());
  out.bytes += size;
  out.ends[row] = static_cast<std::int32_t>(out.bytes);
  out.valid[row] = 1;
}

}  // namespace penstock::support
