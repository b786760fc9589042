#include "penstock/ops/expression/logic.hpp"

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

// The bytes of an argument's validity, in a form that needs no branch for each row.
std::uint8_t byte_at(const std::uint8_t* valid, std::int64_t row) noexcept {
  return valid == nullptr ? std::uint8_t{1} : valid[row];
}

// Kleene's logic: one false makes a conjunction false, whatever the other is, and one true a
// disjunction true. `dominant` is that value.
template <std::uint8_t Dominant>
bool run_kleene(std::span<const Vec> args, std::int64_t rows, Made& made) {
  const auto* left = args[0].as<std::uint8_t>();
  const auto* right = args[1].as<std::uint8_t>();
  auto* out = made.as<std::uint8_t>();
  if (args[0].valid == nullptr && args[1].valid == nullptr) {
    for (std::int64_t i = 0; i < rows; ++i) {
      out[i] = static_cast<std::uint8_t>(Dominant == 0 ? left[i] & right[i] : left[i] | right[i]);
    }
    return true;
  }
  for (std::int64_t i = 0; i < rows; ++i) {
    const unsigned has_left = byte_at(args[0].valid, i);
    const unsigned has_right = byte_at(args[1].valid, i);
    // 1 where a value is there and is the dominant one.
    const unsigned decides =
        (has_left & (left[i] ^ (Dominant ^ 1U))) | (has_right & (right[i] ^ (Dominant ^ 1U)));
    out[i] = static_cast<std::uint8_t>(decides ^ (Dominant ^ 1U));
    made.valid_room[i] = static_cast<std::uint8_t>(decides | (has_left & has_right));
  }
  made.valid = made.valid_room;
  return true;
}

// `Wanted` is 1 to ask for values, and 0 for nulls.
template <std::uint8_t Wanted>
bool run_validity(std::span<const Vec> args, std::int64_t rows, Made& made) {
  auto* out = made.as<std::uint8_t>();
  for (std::int64_t i = 0; i < rows; ++i) {
    out[i] = static_cast<std::uint8_t>(byte_at(args[0].valid, i) ^ Wanted ^ 1U);
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
  for (std::int64_t i = 0; i < rows; ++i) {
    const unsigned chosen = byte_at(args[condition[i] != 0 ? 1 : 2].valid, i);
    made.valid_room[i] = static_cast<std::uint8_t>(chosen & byte_at(args[0].valid, i));
  }
  made.valid = made.valid_room;
  return true;
}

template <typename Value>
bool run_coalesce(std::span<const Vec> args, std::int64_t rows, Made& made) {
  const auto* first = args[0].as<Value>();
  const auto* second = args[1].as<Value>();
  auto* out = made.as<Value>();
  for (std::int64_t i = 0; i < rows; ++i) out[i] = args[0].has(i) ? first[i] : second[i];
  if (args[0].valid == nullptr || args[1].valid == nullptr) return true;
  for (std::int64_t i = 0; i < rows; ++i) {
    made.valid_room[i] = static_cast<std::uint8_t>(args[0].valid[i] | args[1].valid[i]);
  }
  made.valid = made.valid_room;
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
