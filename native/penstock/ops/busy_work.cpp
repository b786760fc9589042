#include "penstock/ops/busy_work.hpp"

#include <stdexcept>
#include <string>
#include <utility>

#include "penstock/tuple/bits.hpp"
#include "penstock/tuple/composer.hpp"
#include "penstock/tuple/own_array.hpp"

namespace penstock::ops {

namespace {

// A zero that is known only when `value` is: a processor would otherwise work on several rows at
// the same time, and many rows would cost less than one row does many times.
std::uint64_t zero_behind(std::uint64_t value) noexcept {
  std::uint64_t top = value >> 63U;
  asm volatile("" : "+r"(top));  // NOLINT(hicpp-no-assembler): hides that nothing is above it
  return top >> 1U;
}

}  // namespace

BusyWork::BusyWork(int column, std::int64_t rounds) : column_(column), rounds_(rounds) {
  if (column < 0 || rounds < 0) {
    throw std::invalid_argument("busy work takes a column and a number of rounds from 0 on, got " +
                                std::to_string(column) + " and " + std::to_string(rounds));
  }
}

void BusyWork::process(const tuple::Tuple& tuple, int /*port*/, graph::Output& output) {
  const tuple::Batch& batch = tuple.batch;
  if (column_ >= batch.columns()) {
    throw std::out_of_range("column " + std::to_string(column_) +
                            " was asked for, but the rows have " + std::to_string(batch.columns()) +
                            " columns");
  }
  const tuple::ColumnSlice given = batch.column(column_);
  const auto* const values = static_cast<const std::uint64_t*>(given.array->buffers[1]);
  const void* const valid = given.array->null_count == 0 ? nullptr : given.array->buffers[0];
  tuple::OwnArray made(batch.rows());
  made.skip_buffer();
  auto* const busy = made.add_buffer<std::uint64_t>(batch.rows());
  std::uint64_t before = 0;
  for (std::int64_t row = 0; row < batch.rows(); ++row) {
    const std::int64_t at = given.offset + row;
    const bool null = valid != nullptr && !tuple::bit_at(valid, at);
    const std::uint64_t value = null ? 0 : values[at];
    before = busy[row] = work(value + zero_behind(before), rounds_);
  }
  tuple::Composer whole(batch, static_cast<std::size_t>(batch.columns()) + 1);
  whole.pass_all();
  whole.add(std::move(made).finish(0));
  output.emit(std::move(whole).finish(), 0);
}

}  // namespace penstock::ops
