#include "penstock/ops/expression/comparison.hpp"

#include <cstdint>
#include <functional>
#include <type_traits>

namespace penstock::ops::expression {

namespace {

template <typename Test>
struct Compare {
  template <typename Value>
  static std::uint8_t apply(Value left, Value right) noexcept {
    return static_cast<std::uint8_t>(Test{}(left, right));
  }
};

struct IsNan {
  template <typename Value>
  static std::uint8_t apply(Value given) noexcept {
    return static_cast<std::uint8_t>(given != given);  // NOLINT(misc-redundant-expression)
  }
};

template <typename Test>
Kernel compare(Type type) {
  return visit(type, []<typename Value>(std::type_identity<Value> /*of*/) {
    return Kernel{.run = run_binary<Compare<Test>, Value, std::uint8_t>};
  });
}

}  // namespace

Kernel comparison(std::string_view word, Type type) {
  if (word == "equal") return compare<std::equal_to<>>(type);
  if (word == "not_equal") return compare<std::not_equal_to<>>(type);
  if (word == "less") return compare<std::less<>>(type);
  if (word == "less_equal") return compare<std::less_equal<>>(type);
  if (word == "greater") return compare<std::greater<>>(type);
  if (word == "greater_equal") return compare<std::greater_equal<>>(type);
  if (word != "is_nan") return {};
  return visit(type, []<typename Value>(std::type_identity<Value> /*of*/) {
    return Kernel{.run = run_unary<IsNan, Value, std::uint8_t>};
  });
}

}  // namespace penstock::ops::expression
