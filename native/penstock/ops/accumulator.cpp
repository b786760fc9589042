#include "penstock/ops/accumulator.hpp"

#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "penstock/ops/accumulators.hpp"

namespace penstock::ops {

namespace {

template <typename Value>
std::unique_ptr<Accumulator> make_for(Function function) {
  using Wide = std::conditional_t<std::is_floating_point_v<Value>, double, std::int64_t>;
  switch (function) {
    case Function::kCount:
      return std::make_unique<kinds::Count<false>>();
    case Function::kSum:
      return std::make_unique<kinds::Fold<Value, Wide, kinds::Sum>>();
    case Function::kMin:
      return std::make_unique<kinds::Fold<Value, Value, kinds::Extreme<false>>>();
    case Function::kMax:
      return std::make_unique<kinds::Fold<Value, Value, kinds::Extreme<true>>>();
    case Function::kMean:
      return std::make_unique<kinds::Mean<Value>>();
  }
  return nullptr;
}

bool is_number(const tuple::Field& field) noexcept {
  if (!field.dictionary.empty()) return false;
  const bool whole = field.kind == tuple::Kind::kSigned && field.width <= 8;
  return whole || (field.kind == tuple::Kind::kFloat && field.width >= 4);
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
  }
  return "";
}

tuple::Field whole_numbers(std::string name) {
  return {.name = std::move(name), .format = "l", .kind = tuple::Kind::kSigned, .width = 8};
}

tuple::Field doubles(std::string name) {
  return {.name = std::move(name), .format = "g", .kind = tuple::Kind::kFloat, .width = 8};
}

}  // namespace

std::int64_t width_of(const Aggregate& aggregate, const std::vector<tuple::Field>& fields) {
  constexpr std::int64_t kWide = 8;
  if (aggregate.function == Function::kCount) return kWide;
  const tuple::Field& field = fields.at(static_cast<std::size_t>(aggregate.column));
  if (!is_number(field)) {
    throw std::invalid_argument("column " + describe(field) +
                                " cannot be aggregated: it must be a signed whole number, a date "
                                "or timestamp, a float or a double");
  }
  const bool same = aggregate.function == Function::kMin || aggregate.function == Function::kMax;
  return same ? field.width : kWide;
}

std::vector<tuple::Field> saved_fields(const Aggregate& aggregate,
                                       const std::vector<tuple::Field>& fields) {
  const std::string word(word_for(aggregate.function));
  if (aggregate.column == Aggregate::kRows) return {whole_numbers(word + "(*)")};
  tuple::Field field = fields.at(static_cast<std::size_t>(aggregate.column));
  std::string name = word + "(" + field.name + ")";
  switch (aggregate.function) {
    case Function::kCount:
      return {whole_numbers(std::move(name))};
    case Function::kSum:
      return {field.kind == tuple::Kind::kFloat ? doubles(std::move(name))
                                                : whole_numbers(std::move(name))};
    case Function::kMin:
    case Function::kMax:
      field.name = std::move(name);
      return {std::move(field)};
    case Function::kMean:
      return {doubles(name + ".sum"), whole_numbers(name + ".count")};
  }
  return {};
}

std::unique_ptr<Accumulator> make_accumulator(const Aggregate& aggregate,
                                              const std::vector<tuple::Field>& fields) {
  if (aggregate.column == Aggregate::kRows) return std::make_unique<kinds::Count<true>>();
  if (aggregate.function == Function::kCount) return std::make_unique<kinds::Count<false>>();
  const tuple::Field& field = fields.at(static_cast<std::size_t>(aggregate.column));
  if (field.kind == tuple::Kind::kFloat) {
    return field.width == 4 ? make_for<float>(aggregate.function)
                            : make_for<double>(aggregate.function);
  }
  switch (field.width) {
    case 1:
      return make_for<std::int8_t>(aggregate.function);
    case 2:
      return make_for<std::int16_t>(aggregate.function);
    case 4:
      return make_for<std::int32_t>(aggregate.function);
    default:
      return make_for<std::int64_t>(aggregate.function);
  }
}

}  // namespace penstock::ops
