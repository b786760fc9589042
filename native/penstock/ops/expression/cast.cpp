#include "penstock/ops/expression/cast.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

namespace penstock::ops::expression {

namespace {

// Whole numbers up to here, on both sides of zero, are exact in a fraction's type.
template <typename Fraction>
constexpr auto kMostExact = static_cast<std::int64_t>(
    std::uint64_t{1} << static_cast<unsigned>(std::numeric_limits<Fraction>::digits));

template <typename From, typename To>
bool holds(From given) noexcept {
  constexpr bool kFromWhole = std::is_integral_v<From>;
  constexpr bool kToWhole = std::is_integral_v<To>;
  if constexpr (kFromWhole && kToWhole) {
    return std::in_range<To>(given);
  } else if constexpr (kFromWhole) {
    return std::cmp_less_equal(given, kMostExact<To>) &&
           std::cmp_greater_equal(given, -kMostExact<To>);
  } else if constexpr (kToWhole) {
    // Both bounds are powers of two, or zero, so they are exact; NaN is in no range.
    constexpr auto kLeast = static_cast<From>(std::numeric_limits<To>::min());
    constexpr To kHalf = std::numeric_limits<To>::max() / 2 + 1;
    constexpr auto kEnd = static_cast<From>(kHalf) * From{2};
    if (!(given >= kLeast && given < kEnd)) return false;
    return static_cast<From>(static_cast<To>(given)) == given;
  } else {
    return true;
  }
}

template <typename From, typename To>
std::string range_of() {
  if constexpr (std::is_integral_v<To>) {
    const To least = std::is_signed_v<From> ? std::numeric_limits<To>::min() : To{0};
    return std::to_string(least) + " to " + std::to_string(std::numeric_limits<To>::max());
  } else {
    const std::int64_t least = std::is_signed_v<From> ? -kMostExact<To> : 0;
    return std::to_string(least) + " to " + std::to_string(kMostExact<To>);
  }
}

template <typename From, typename To>
struct Cast {
  static To apply(From given) noexcept {
    // What is out of range has no value in C++, and rows that are null hold anything.
    if constexpr (!std::is_integral_v<From> && std::is_integral_v<To>) {
      return holds<From, To>(given) ? static_cast<To>(given) : To{0};
    } else {
      return static_cast<To>(given);
    }
  }
  static std::int32_t doubt(From given) noexcept {
    return -static_cast<std::int32_t>(!holds<From, To>(given));
  }
  static std::string why_not(From given) {
    if (holds<From, To>(given)) return "";
    if constexpr (std::is_integral_v<From>) {
      return "Integer value " + std::to_string(given) + " not in range: " + range_of<From, To>();
    } else {
      return "Float value " + std::to_string(given) + " was truncated converting to a whole number";
    }
  }
};

// Whether every value of one type is exactly one of the other.
template <typename From, typename To>
constexpr bool kAlwaysFits =
    !std::is_integral_v<To>
        ? !std::is_integral_v<From> ||
              std::numeric_limits<From>::digits <= std::numeric_limits<To>::digits
        : std::is_integral_v<From> &&
              std::numeric_limits<From>::digits <= std::numeric_limits<To>::digits &&
              (std::is_signed_v<To> || !std::is_signed_v<From>);

template <typename From, typename To>
Kernel between() {
  if constexpr (kAlwaysFits<From, To>) {
    return {.run = run_unary<Cast<From, To>, From, To>};
  } else {
    return {.run = run_doubtful_unary<Cast<From, To>, From, To>,
            .find = find_unary<Cast<From, To>, From>};
  }
}

}  // namespace

Kernel cast(Type from, Type to) {
  if (from == Type::kBool || to == Type::kBool) return {};
  return visit(from, [to]<typename From>(std::type_identity<From> /*of*/) {
    return visit(to,
                 []<typename To>(std::type_identity<To> /*of*/) { return between<From, To>(); });
  });
}

}  // namespace penstock::ops::expression
