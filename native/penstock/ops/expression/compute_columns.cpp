#include "penstock/ops/expression/compute_columns.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "penstock/ops/expression/bytes.hpp"
#include "penstock/ops/expression/failure.hpp"
#include "penstock/tuple/composer.hpp"
#include "penstock/tuple/own_array.hpp"

namespace penstock::ops::expression {

namespace {

// A computed column in the making, block by block.
class Growing {
 public:
  // Whether a column has nulls at all does not differ between the blocks of a batch.
  Growing(std::int64_t rows, Type type, bool nullable) : array_(rows), type_(type) {
    if (nullable) {
      valid_ = array_.add_buffer<std::uint8_t>((rows + 7) / 8);
    } else {
      array_.skip_buffer();
    }
    const bool bits = type == Type::kBool;
    values_ = array_.add_buffer<std::byte>(bits ? (rows + 7) / 8 : rows * width_of(type));
  }

  void append(const Vec& vec, std::int64_t first, std::int64_t rows) {
    if (valid_ != nullptr) nulls_ += rows - gather_bits(vec.valid, rows, valid_ + (first / 8));
    if (type_ == Type::kBool) {
      gather_bits(vec.as<std::uint8_t>(), rows, values_ + (first / 8));
    } else if (rows > 0) {
      const std::int64_t width = width_of(type_);
      std::memcpy(values_ + (first * width), vec.values, static_cast<std::size_t>(rows * width));
    }
  }

  [[nodiscard]] ArrowArray finish() && { return std::move(array_).finish(nulls_); }

 private:
  tuple::OwnArray array_;
  Type type_;
  std::uint8_t* valid_ = nullptr;
  std::byte* values_ = nullptr;
  std::int64_t nulls_ = 0;
};

}  // namespace

ComputeColumns::ComputeColumns(const tuple::Schema& input,
                               const std::vector<Instruction>& instructions,
                               std::vector<Column> columns)
    : program_(tuple::read_fields(input), instructions), columns_(std::move(columns)) {
  for (const Column& column : columns_) {
    if (column.computed) {
      static_cast<void>(program_.type(column.from));  // must be there
    } else if (column.from < 0 || column.from >= input.arrow().n_children) {
      throw std::invalid_argument("column " + std::to_string(column.from) + " does not exist");
    }
  }
}

void ComputeColumns::process(const tuple::Tuple& tuple, int /*port*/, graph::Output& output) {
  const std::int64_t rows = tuple.batch.rows();
  std::vector<std::optional<Growing>> growing(columns_.size());
  Program::Outcome outcome;
  std::int64_t good = 0;
  for (std::int64_t first = 0; first < rows && !outcome.problem; first += kBlockRows) {
    Registers& registers = Registers::here();
    outcome = program_.run(tuple.batch, first, std::min(kBlockRows, rows - first), registers);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (!columns_[i].computed) continue;
      const Vec& vec = registers.at(columns_[i].from);
      if (first == 0)
        growing[i].emplace(rows, program_.type(columns_[i].from), vec.valid != nullptr);
      growing[i]->append(vec, first, outcome.rows);
    }
    good += outcome.rows;
    if (outcome.problem) outcome.problem->row += first;
  }
  if (good > 0) {
    tuple::Composer whole(tuple.batch, columns_.size());
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i].computed) {
        whole.add(std::move(*growing[i]).finish());
      } else {
        whole.pass(columns_[i].from);
      }
    }
    output.emit(std::move(whole).finish().slice(0, good), 0);
  }
  raise(outcome);
}

}  // namespace penstock::ops::expression
