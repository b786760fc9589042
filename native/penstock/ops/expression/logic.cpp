#include "penstock/ops/expression/logic.hpp"

#include <array>
#include <cstdint>
#include <type_traits>

namespace penstock::ops::expression {

namespace {

struct Xor {
  static std::uint8_t apply(std::uint8_t left, std::uint8_t right) noexcept {
    return static_cast<std::uint8_t>(left ^ right);
  }
};

struct Invert {
  static std::uint8_t apply(std::uint8_t given) noexcept {
    return static_cast<std::uint8_t>(given ^ 1U);
  }
};

// For loops that look at a validity in any case. A block of ones stands for one that is not there,
// so that nothing is asked for each row.
const std::uint8_t* bytes_of(const std::uint8_t* valid) noexcept {
  static constexpr auto kAllValid = [] {
    std::array<std::uint8_t, kBlockRows> ones{};
    ones.fill(1);
    return ones;
  }();
  return valid == nullptr ? kAllValid.data() : valid;
}

// Kleene's logic: one false makes a conjunction false, whatever the other is, and one true a
// disjunction true. `Dominant` is that value.
template <std::uint8_t Dominant>
bool run_kleene(std::span<const Vec> args, std::int64_t rows, Made& made) {
  const auto* left = args[0].as<std::uint8_t>();
  const auto* right = args[1].as<std::uint8_t>();
  auto* out = made.as<std::uint8_t>();
  if (args[0].valid == nullptr && args[1].valid == nullptr) {
    for (std::int64_t i = 0; i < rows; ++i) {
      const unsigned one = left[i];
      const unsigned other = right[i];
      out[i] = static_cast<std::uint8_t>(Dominant == 0 ? one & other : one | other);
    }
    return true;
  }
  const auto* lefts = bytes_of(args[0].valid);
  const auto* rights = bytes_of(args[1].valid);
  auto* valid = made.valid_room;
  for (std::int64_t i = 0; i < rows; ++i) {
    const unsigned has_left = lefts[i];
    const unsigned has_right = rights[i];
    // 1 where a value is there and is the dominant one.
    const unsigned decides =
        (has_left & (left[i] ^ (Dominant ^ 1U))) | (has_right & (right[i] ^ (Dominant ^ 1U)));
    out[i] = static_cast<std::uint8_t>(decides ^ (Dominant ^ 1U));
    valid[i] = static_cast<std::uint8_t>(decides | (has_left & has_right));
  }
  made.valid = valid;
  return true;
}

// `Wanted` is 1 to ask for values, and 0 for nulls.
template <std::uint8_t Wanted>
bool run_validity(std::span<const Vec> args, std::int64_t rows, Made& made) {
  const auto* valid = bytes_of(args[0].valid);
  auto* out = made.as<std::uint8_t>();
  for (std::int64_t i = 0; i < rows; ++i) {
    out[i] = static_cast<std::uint8_t>(valid[i] ^ (Wanted ^ 1U));
  }
  return true;
}

template <typename Value>
bool run_if_else(std::span<const Vec> args, std::int64_t rows, Made& made) {
  const auto* condition = args[0].as<std::uint8_t>();
  const auto* then = args[1].as<Value>();
  const auto* otherwise = args[2].as<Value>();
  auto* out = made.as<Value>();
  for (std::int64_t i = 0; i < rows; ++i) out[i] = condition[i] != 0 ? then[i] : otherwise[i];
  if (args[0].valid == nullptr && args[1].valid == nullptr && args[2].valid == nullptr) return true;
  const auto* known = bytes_of(args[0].valid);
  const auto* has_then = bytes_of(args[1].valid);
  const auto* has_other = bytes_of(args[2].valid);
  auto* valid = made.valid_room;
  for (std::int64_t i = 0; i < rows; ++i) {
    const unsigned has = condition[i] != 0 ? has_then[i] : has_other[i];
    valid[i] = static_cast<std::uint8_t>(has & known[i]);
  }
  made.valid = valid;
  return true;
}

template <typename Value>
bool run_coalesce(std::span<const Vec> args, std::int64_t rows, Made& made) {
  const auto* first = args[0].as<Value>();
  const auto* second = args[1].as<Value>();
  auto* out = made.as<Value>();
  const auto* has_first = bytes_of(args[0].valid);
  const auto* has_second = bytes_of(args[1].valid);
  for (std::int64_t i = 0; i < rows; ++i) out[i] = has_first[i] != 0 ? first[i] : second[i];
  if (args[0].valid == nullptr || args[1].valid == nullptr) return true;
  auto* valid = made.valid_room;
  for (std::int64_t i = 0; i < rows; ++i) {
    valid[i] = static_cast<std::uint8_t>(has_first[i] | has_second[i]);
  }
  made.valid = valid;
  return true;
}

Kernel of_booleans(std::string_view word) {
  if (word == "xor") return {.run = run_binary<Xor, std::uint8_t, std::uint8_t>};
  if (word == "invert") return {.run = run_unary<Invert, std::uint8_t, std::uint8_t>};
  if (word == "and_kleene") return {.run = run_kleene<0>, .propagates = false};
  if (word == "or_kleene") return {.run = run_kleene<1>, .propagates = false};
  return {};
}

}  // namespace

Kernel logic(std::string_view word, Type type) {
  if (word == "is_null") return {.run = run_validity<0>, .propagates = false};
  if (word == "is_valid") return {.run = run_validity<1>, .propagates = false};
  if (word != "if_else" && word != "coalesce") {
    return type == Type::kBool ? of_booleans(word) : Kernel{};
  }
  return visit(type, [word]<typename Value>(std::type_identity<Value> /*of*/) {
    return Kernel{.run = word == "if_else" ? run_if_else<Value> : run_coalesce<Value>,
                  .propagates = false};
  });
}

}  // namespace penstock::ops::expression
