#include "penstock/ops/expression/arithmetic.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace penstock::ops::expression {

namespace {

constexpr const char* kOverflow = "overflow";
constexpr const char* kByZero = "divide by zero";

template <typename Value>
constexpr bool kWhole = std::is_integral_v<Value>;

// Where whole numbers wrap around: no type that C++ promotes or whose overflow is undefined.
template <typename Value>
using Wrapping = std::conditional_t<sizeof(Value) < 4, std::uint32_t, std::make_unsigned_t<Value>>;

template <typename Value>
constexpr std::int32_t flagged(bool bad) noexcept {
  return -static_cast<std::int32_t>(bad);
}

struct Add {
  template <typename Value>
  static Value apply(Value left, Value right) noexcept {
    if constexpr (kWhole<Value>) {
      using Wide = Wrapping<Value>;
      return static_cast<Value>(static_cast<Wide>(left) + static_cast<Wide>(right));
    } else {
      return left + right;
    }
  }
  template <typename Value>
  static auto doubt(Value left, Value right, Value sum) noexcept {
    if constexpr (std::is_signed_v<Value>) {
      // NOLINTNEXTLINE(bugprone-signed-bitwise): negative where both have another sign
      return static_cast<Value>((left ^ sum) & (right ^ sum));
    } else {
      return flagged<Value>(sum < left);
    }
  }
  template <typename Value>
  static std::string why_not(Value left, Value right) {
    Value sum{};
    return __builtin_add_overflow(left, right, &sum) ? kOverflow : "";
  }
};

struct Subtract {
  template <typename Value>
  static Value apply(Value left, Value right) noexcept {
    if constexpr (kWhole<Value>) {
      using Wide = Wrapping<Value>;
      return static_cast<Value>(static_cast<Wide>(left) - static_cast<Wide>(right));
    } else {
      return left - right;
    }
  }
  template <typename Value>
  static auto doubt(Value left, Value right, Value difference) noexcept {
    if constexpr (std::is_signed_v<Value>) {
      // NOLINTNEXTLINE(bugprone-signed-bitwise): as above
      return static_cast<Value>((left ^ right) & (left ^ difference));
    } else {
      return flagged<Value>(left < right);
    }
  }
  template <typename Value>
  static std::string why_not(Value left, Value right) {
    Value difference{};
    return __builtin_sub_overflow(left, right, &difference) ? kOverflow : "";
  }
};

struct Multiply {
  template <typename Value>
  static Value apply(Value left, Value right) noexcept {
    if constexpr (kWhole<Value>) {
      using Wide = Wrapping<Value>;
      return static_cast<Value>(static_cast<Wide>(left) * static_cast<Wide>(right));
    } else {
      return left * right;
    }
  }
  template <typename Value>
  static std::int32_t doubt(Value left, Value right, Value product) noexcept {
    if constexpr (sizeof(Value) < 8) {
      using Wide = std::conditional_t<std::is_signed_v<Value>, std::int64_t, std::uint64_t>;
      return flagged<Value>(static_cast<Wide>(left) * static_cast<Wide>(right) !=
                            static_cast<Wide>(product));
    } else {
      Value ignored{};
      return flagged<Value>(__builtin_mul_overflow(left, right, &ignored));
    }
  }
  template <typename Value>
  static std::string why_not(Value left, Value right) {
    Value product{};
    return __builtin_mul_overflow(left, right, &product) ? kOverflow : "";
  }
};

// The one quotient of whole numbers that does not fit.
template <typename Value>
bool too_big(Value left, Value right) noexcept {
  if constexpr (kWhole<Value> && std::is_signed_v<Value>) {
    return left == std::numeric_limits<Value>::min() && right == Value{-1};
  } else {
    return false;
  }
}

struct Divide {
  template <typename Value>
  static Value apply(Value left, Value right) noexcept {
    if constexpr (kWhole<Value>) {
      // A processor stops at what has no quotient, and rows that are null hold anything.
      const bool none = right == 0 || too_big(left, right);
      const auto quotient = static_cast<Value>(left / (none ? Value{1} : right));
      return none ? Value{0} : quotient;
    } else {
      return left / right;
    }
  }
  template <typename Value>
  static std::int32_t doubt(Value /*left*/, Value right, Value /*quotient*/) noexcept {
    return flagged<Value>(right == 0);
  }
  template <typename Value>
  static std::string why_not(Value /*left*/, Value right) {
    return right == 0 ? kByZero : "";
  }
};

struct DivideChecked : Divide {
  template <typename Value>
  static std::int32_t doubt(Value left, Value right, Value /*quotient*/) noexcept {
    return flagged<Value>(right == 0 || too_big(left, right));
  }
  template <typename Value>
  static std::string why_not(Value left, Value right) {
    if (right == 0) return kByZero;
    return too_big(left, right) ? kOverflow : "";
  }
};

template <typename Value>
std::int32_t least(Value given) noexcept {
  return flagged<Value>(given == std::numeric_limits<Value>::min());
}

struct Negate {
  template <typename Value>
  static Value apply(Value given) noexcept {
    if constexpr (kWhole<Value>) {
      return Subtract::apply(Value{0}, given);
    } else {
      return -given;
    }
  }
  template <typename Value>
  static std::int32_t doubt(Value given) noexcept {
    return least(given);
  }
  template <typename Value>
  static std::string why_not(Value given) {
    return least(given) < 0 ? kOverflow : "";
  }
};

struct Absolute : Negate {
  template <typename Value>
  static Value apply(Value given) noexcept {
    if constexpr (!kWhole<Value>) {
      return std::fabs(given);
    } else if constexpr (std::is_signed_v<Value>) {
      return given < 0 ? Negate::apply(given) : given;
    } else {
      return given;
    }
  }
};

template <typename Op>
Kernel binary(Type type, bool checked) {
  return visit(type, [checked]<typename Value>(std::type_identity<Value> /*of*/) {
    if constexpr (kWhole<Value> || std::is_base_of_v<Divide, Op>) {
      if (checked) {
        return Kernel{.run = run_doubtful_binary<Op, Value, Value>, .find = find_binary<Op, Value>};
      }
    }
    return Kernel{.run = run_binary<Op, Value, Value>};
  });
}

template <typename Op>
Kernel unary(Type type, bool checked) {
  return visit(type, [checked]<typename Value>(std::type_identity<Value> /*of*/) {
    if constexpr (kWhole<Value> && std::is_signed_v<Value>) {
      if (checked) {
        return Kernel{.run = run_doubtful_unary<Op, Value, Value>, .find = find_unary<Op, Value>};
      }
    }
    return Kernel{.run = run_unary<Op, Value, Value>};
  });
}

bool is_unsigned(Type type) noexcept { return type >= Type::kUInt8 && type <= Type::kUInt64; }

}  // namespace

Kernel arithmetic(std::string_view word, Type type) {
  if (type == Type::kBool) return {};
  const bool checked = word.ends_with("_checked");
  const std::string_view plain = word.substr(0, word.find("_checked"));
  if (plain == "add") return binary<Add>(type, checked);
  if (plain == "subtract") return binary<Subtract>(type, checked);
  if (plain == "multiply") return binary<Multiply>(type, checked);
  // Whole numbers cannot be divided by zero in either way.
  if (word == "divide") return binary<Divide>(type, type < Type::kFloat32);
  if (word == "divide_checked") return binary<DivideChecked>(type, true);
  if (plain == "negate" && !is_unsigned(type)) return unary<Negate>(type, checked);
  if (plain == "abs") return unary<Absolute>(type, checked);
  return {};
}

}  // namespace penstock::ops::expression
