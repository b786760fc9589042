#include "penstock/ops/accumulator.hpp"

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "penstock/ops/accumulators.hpp"
#include "penstock/ops/distinct_accumulator.hpp"
#include "penstock/ops/moment_accumulators.hpp"
#include "penstock/ops/text_accumulators.hpp"

namespace penstock::ops {

namespace {

template <typename Value>
std::unique_ptr<Accumulator> make_for(Function function) {
  using Wide = std::conditional_t<std::is_floating_point_v<Value>, double, std::int64_t>;
  switch (function) {
    case Function::kSum:
      return std::make_unique<kinds::Fold<Value, Wide, kinds::Sum>>();
    case Function::kMin:
      return std::make_unique<kinds::Fold<Value, Value, kinds::Extreme<false>>>();
    case Function::kMax:
      return std::make_unique<kinds::Fold<Value, Value, kinds::Extreme<true>>>();
    case Function::kMean:
      return std::make_unique<kinds::Mean<Value>>();
    case Function::kVar:
      return std::make_unique<kinds::Variance<Value, false>>();
    case Function::kStddev:
      return std::make_unique<kinds::Variance<Value, true>>();
    default:
      return nullptr;
  }
}

// The first or the last of values of which only the width matters.
template <typename Value, typename Total = Value>
std::unique_ptr<Accumulator> make_choice(Function function) {
  if (function == Function::kFirst) {
    return std::make_unique<kinds::Fold<Value, Total, kinds::First>>();
  }
  return std::make_unique<kinds::Fold<Value, Total, kinds::Last>>();
}

std::unique_ptr<Accumulator> make_choice(Function function, const tuple::Field& field) {
  if (field.kind == tuple::Kind::kBool) return make_choice<bool, std::uint8_t>(function);
  switch (field.width) {
    case 1:
      return make_choice<std::uint8_t>(function);
    case 2:
      return make_choice<std::uint16_t>(function);
    case 4:
      return make_choice<std::uint32_t>(function);
    case 8:
      return make_choice<std::uint64_t>(function);
    case 16:
      return make_choice<std::array<char, 16>>(function);
    default:
      return make_choice<std::array<char, 32>>(function);
  }
}

std::unique_ptr<Accumulator> make_text(Function function, const tuple::Field& field) {
  switch (function) {
    case Function::kMin:
      return std::make_unique<kinds::Text<kinds::TextExtreme<false>>>(field);
    case Function::kMax:
      return std::make_unique<kinds::Text<kinds::TextExtreme<true>>>(field);
    case Function::kFirst:
      return std::make_unique<kinds::Text<kinds::TextFirst>>(field);
    default:
      return std::make_unique<kinds::Text<kinds::TextLast>>(field);
  }
}

bool is_number(const tuple::Field& field) noexcept {
  const bool whole = field.kind == tuple::Kind::kSigned && field.width <= 8;
  return whole || (field.kind == tuple::Kind::kFloat && field.width >= 4);
}

// Of which one value can be told.
bool is_single(const tuple::Field& field) noexcept {
  switch (field.kind) {
    case tuple::Kind::kBool:
    case tuple::Kind::kSigned:
    case tuple::Kind::kUnsigned:
    case tuple::Kind::kFloat:
    case tuple::Kind::kDecimal:
      return true;
    default:
      return is_text(field);
  }
}

bool can_be_aggregated(Function function, const tuple::Field& field) noexcept {
  if (!field.dictionary.empty()) return false;
  switch (function) {
    case Function::kFirst:
    case Function::kLast:
    case Function::kApproxDistinct:
      return is_single(field);
    case Function::kMin:
    case Function::kMax:
      return is_number(field) || is_text(field);
    default:
      return is_number(field);
  }
}

std::string_view word_for(Function function) noexcept {
  switch (function) {
    case Function::kCount:
      return "count";
    case Function::kSum:
      return "sum";
    case Function::kMin:
      return "min";
    case Function::kMax:
      return "max";
    case Function::kMean:
      return "mean";
    case Function::kVar:
      return "var";
    case Function::kStddev:
      return "stddev";
    case Function::kFirst:
      return "first";
    case Function::kLast:
      return "last";
    case Function::kApproxDistinct:
      return "approx_distinct";
  }
  return "";
}

tuple::Field whole_numbers(std::string name) {
  return {.name = std::move(name), .format = "l", .kind = tuple::Kind::kSigned, .width = 8};
}

tuple::Field doubles(std::string name) {
  return {.name = std::move(name), .format = "g", .kind = tuple::Kind::kFloat, .width = 8};
}

// Booleans lie in accumulators as bytes.
tuple::Field flags(std::string name) {
  return {.name = std::move(name), .format = "C", .kind = tuple::Kind::kUnsigned, .width = 1};
}

}  // namespace

bool is_text(const tuple::Field& field) noexcept {
  return field.kind == tuple::Kind::kBytes || field.kind == tuple::Kind::kLargeBytes;
}

tuple::Field made_field(const Aggregate& aggregate, const std::vector<tuple::Field>& fields) {
  const Function function = aggregate.function;
  if (function == Function::kCount) return whole_numbers("");
  tuple::Field field = fields.at(static_cast<std::size_t>(aggregate.column));
  if (!can_be_aggregated(function, field)) {
    throw std::invalid_argument("column " + describe(field) + " cannot be aggregated by " +
                                std::string(word_for(function)) +
                                ": it must be a signed whole number, a date or timestamp, a float "
                                "or a double, and for single values also a boolean, a decimal, a "
                                "string or binary");
  }
  switch (function) {
    case Function::kSum:
      return field.kind == tuple::Kind::kFloat ? doubles("") : whole_numbers("");
    case Function::kMean:
    case Function::kVar:
    case Function::kStddev:
      return doubles("");
    case Function::kApproxDistinct:
      return whole_numbers("");
    default:
      field.name.clear();
      return field;
  }
}

std::int64_t width_of(const Aggregate& aggregate, const std::vector<tuple::Field>& fields) {
  const tuple::Field field = made_field(aggregate, fields);
  return field.kind == tuple::Kind::kBool ? 1 : field.width;
}

std::vector<tuple::Field> saved_fields(const Aggregate& aggregate,
                                       const std::vector<tuple::Field>& fields) {
  const std::string word(word_for(aggregate.function));
  if (aggregate.column == Aggregate::kRows) return {whole_numbers(word + "(*)")};
  tuple::Field field = made_field(aggregate, fields);
  const std::string name =
      word + "(" + fields.at(static_cast<std::size_t>(aggregate.column)).name + ")";
  switch (aggregate.function) {
    case Function::kMean:
      return {doubles(name + ".sum"), whole_numbers(name + ".count")};
    case Function::kVar:
    case Function::kStddev:
      return {doubles(name + ".mean"), doubles(name + ".squares"), whole_numbers(name + ".count")};
    case Function::kApproxDistinct:
      return {kinds::ApproxDistinct::saved_field(name)};
    default:
      break;
  }
  if (field.kind == tuple::Kind::kBool) return {flags(name)};
  field.name = name;
  return {std::move(field)};
}

std::unique_ptr<Accumulator> make_accumulator(const Aggregate& aggregate,
                                              const std::vector<tuple::Field>& fields) {
  const Function function = aggregate.function;
  if (aggregate.column == Aggregate::kRows) return std::make_unique<kinds::Count<true>>();
  if (function == Function::kCount) return std::make_unique<kinds::Count<false>>();
  const tuple::Field& field = fields.at(static_cast<std::size_t>(aggregate.column));
  if (function == Function::kApproxDistinct) return std::make_unique<kinds::ApproxDistinct>(field);
  if (is_text(field)) return make_text(function, field);
  if (function == Function::kFirst || function == Function::kLast) {
    return make_choice(function, field);
  }
  if (field.kind == tuple::Kind::kFloat) {
    return field.width == 4 ? make_for<float>(function) : make_for<double>(function);
  }
  switch (field.width) {
    case 1:
      return make_for<std::int8_t>(function);
    case 2:
      return make_for<std::int16_t>(function);
    case 4:
      return make_for<std::int32_t>(function);
    default:
      return make_for<std::int64_t>(function);
  }
}

}  // namespace penstock::ops
