#include "penstock/ops/made_column.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>

#include "penstock/tuple/bits.hpp"

namespace penstock::ops {

MadeColumn::MadeColumn(const tuple::Field& field, std::int64_t rows, Nulls nulls)
    : field_(&field), rows_(rows), array_(rows) {
  if (nulls == Nulls::kNever) {
    array_.skip_buffer();
  } else {
    bitmap_ = array_.add_buffer<std::uint8_t>((rows + 7) / 8);
    // Accumulators that never make a null do not say so.
    valid_.assign(static_cast<std::size_t>(rows), 1);
  }
  if (is_text(field)) {
    texts_.resize(static_cast<std::size_t>(rows));
  } else if (field.kind == tuple::Kind::kBool) {
    flags_.resize(static_cast<std::size_t>(rows));
    values_ = flags_.data();
  } else {
    values_ = array_.add_buffer<std::uint8_t>(rows * field.width);
  }
}

Column MadeColumn::target() noexcept {
  return {.values = values_, .valid = valid_.data(), .texts = texts_.data()};
}

ArrowArray MadeColumn::finish() && {
  std::int64_t nulls = 0;
  if (bitmap_ != nullptr && !tuple::any_zero(valid_)) {
    std::ranges::fill(std::span(bitmap_, static_cast<std::size_t>((rows_ + 7) / 8)), 0xFF);
  } else if (bitmap_ != nullptr) {
    const auto is_valid = [this](std::int64_t row) {
      return valid_[static_cast<std::size_t>(row)] != 0;
    };
    nulls = rows_ - tuple::write_bits(bitmap_, rows_, is_valid);
  }
  if (field_->kind == tuple::Kind::kBytes) {
    write_texts<std::int32_t>(array_);
  } else if (field_->kind == tuple::Kind::kLargeBytes) {
    write_texts<std::int64_t>(array_);
  } else if (field_->kind == tuple::Kind::kBool) {
    auto* const bits = array_.add_buffer<std::uint8_t>((rows_ + 7) / 8);
    tuple::write_bits(bits, rows_, [this](std::int64_t row) {
      return flags_[static_cast<std::size_t>(row)] != 0;
    });
  }
  return std::move(array_).finish(nulls);
}

template <typename Offset>
void MadeColumn::write_texts(tuple::OwnArray& array) const {
  std::uint64_t total = 0;
  for (const auto& text : texts_) total += text.size();
  if (std::cmp_greater(total, std::numeric_limits<Offset>::max())) {
    throw std::length_error("column " + describe(*field_) + " cannot hold the " +
                            std::to_string(total) + " bytes of these rows; make tuples shorter");
  }
  auto* const offsets = array.add_buffer<Offset>(rows_ + 1);
  auto* const data = array.add_buffer<char>(static_cast<std::int64_t>(total));
  auto* end = data;
  offsets[0] = 0;
  for (std::size_t row = 0; row < texts_.size(); ++row) {
    end = std::ranges::copy(texts_[row], end).out;
    offsets[row + 1] = static_cast<Offset>(end - data);
  }
}

}  // namespace penstock::ops
