#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "penstock/ops/windows.hpp"

#include "support/arrow_reading.hpp"
#include "support/arrow_values.hpp"

namespace penstock::support {

// Rows of a key, a place and a value, and what windows make of them: all long, without a value
// where it is null.
using Whole = std::optional<std::int64_t>;
using WholeRow = std::vector<Whole>;
using WholeRows = std::vector<WholeRow>;

inline const std::vector<Type> kGivenTypes{
    {.format = "l", .name = "key"}, {.format = "l", .name = "place"}, {.format = "l", .name = "n"}};

// The columns of the key, if any, then bounds and aggregates.
inline std::vector<Type> made_types(const ops::WindowOptions& options) {
  std::vector<Type> types(options.shown.size() + 2 + options.aggregates.size(), {.format = "l"});
  return types;
}

class Gathered final : public graph::Output {
 public:
  explicit Gathered(std::vector<Type> types) : types_(std::move(types)) {}

  void emit(tuple::Batch batch, int /*port*/) override {
    const auto columns = read_batch(types_, std::move(batch));
    for (std::size_t row = 0; row < columns[0].size(); ++row) {
      WholeRow& made = rows.emplace_back();
      for (const Values& column : columns) {
        made.push_back(column[row].null ? Whole() : Whole(as<std::int64_t>(column[row])));
      }
    }
  }
  void emit_rows(tuple::Batch batch, std::span<const std::int32_t> from_rows, int port) override {
    from.insert(from.end(), from_rows.begin(), from_rows.end());
    emit(std::move(batch), port);
  }
  void punctuate(int /*port*/) override {}
  [[nodiscard]] int ports() const override { return 1; }

  WholeRows rows;
  std::vector<std::int32_t> from;

 private:
  std::vector<Type> types_;
};

inline tuple::Batch batch_of(const WholeRows& rows) {
  std::vector<Values> columns(kGivenTypes.size());
  for (const WholeRow& row : rows) {
    for (std::size_t column = 0; column < columns.size(); ++column) {
      columns[column].push_back(row[column] ? number(*row[column]) : null_value());
    }
  }
  return make_batch(kGivenTypes, columns);
}

template <typename Kind>
Kind make_windows(const ops::WindowOptions& options) {
  return Kind(make_schema(kGivenTypes), make_schema(made_types(options)), options);
}

inline void process(ops::Windows& windows, const WholeRows& rows, Gathered& out) {
  tuple::Batch batch = batch_of(rows);
  windows.process({.batch = std::move(batch), .origin = {.count = std::ssize(rows)}}, 0, out);
}

// What all rows make, with a new operator that goes on with what the one before it knew after every
// `rows_each` rows.
template <typename Kind>
WholeRows run(const ops::WindowOptions& options, const WholeRows& rows, std::size_t rows_each) {
  Gathered out(made_types(options));
  auto windows =
      std::make_unique<Kind>(make_schema(kGivenTypes), make_schema(made_types(options)), options);
  for (std::size_t first = 0; first < rows.size(); first += rows_each) {
    const auto last = std::min(rows.size(), first + rows_each);
    process(*windows,
            WholeRows(rows.begin() + static_cast<std::ptrdiff_t>(first),
                      rows.begin() + static_cast<std::ptrdiff_t>(last)),
            out);
    auto next =
        std::make_unique<Kind>(make_schema(kGivenTypes), make_schema(made_types(options)), options);
    next->collect(windows->snapshot());
    windows = std::move(next);
  }
  windows->finish(out);
  return out.rows;
}

}  // namespace penstock::support
