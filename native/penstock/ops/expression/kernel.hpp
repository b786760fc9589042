#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "penstock/ops/expression/vec.hpp"

namespace penstock::ops::expression {

// The first row of a block that has no result.
struct Problem {
  std::int64_t row = 0;
  std::string why;
};

// One function of single rows, for arguments of one type. It is called once for a block, and its
// loop knows its types, so that a compiler can turn it into vector instructions.
struct Kernel {
  // Makes the values of `rows` rows, also where they are null. False if some row has no result;
  // that may be one that is null, which `find` knows better.
  using Run = bool (*)(std::span<const Vec> args, std::int64_t rows, Made& made);
  // Where a result must exist, because `valid` says so; nullptr means everywhere.
  using Find = std::optional<Problem> (*)(std::span<const Vec> args, std::int64_t rows,
                                          const std::uint8_t* valid);

  Run run = nullptr;
  Find find = nullptr;     // none if it cannot fail
  bool propagates = true;  // null where any argument is; otherwise `run` decides

  [[nodiscard]] explicit operator bool() const noexcept { return run != nullptr; }
};

// The parts of an operation `Op` of two values of a type, each in a loop of its own.
template <typename Op, typename Value, typename Result>
bool run_binary(std::span<const Vec> args, std::int64_t rows, Made& made) {
  const auto* left = args[0].as<Value>();
  const auto* right = args[1].as<Value>();
  auto* out = made.as<Result>();
  for (std::int64_t i = 0; i < rows; ++i) out[i] = Op::apply(left[i], right[i]);
  return true;
}

template <typename Op, typename Value, typename Result>
bool run_unary(std::span<const Vec> args, std::int64_t rows, Made& made) {
  const auto* given = args[0].as<Value>();
  auto* out = made.as<Result>();
  for (std::int64_t i = 0; i < rows; ++i) out[i] = Op::apply(given[i]);
  return true;
}

// NOLINTBEGIN(bugprone-signed-bitwise): the sign is what is collected
// The same for operations that may fail: `Op::doubt` is negative where one does, and cheap to
// collect over many rows. `Op::why_not` says why, and nothing where all is well.
template <typename Op, typename Value, typename Result>
bool run_doubtful_binary(std::span<const Vec> args, std::int64_t rows, Made& made) {
  const auto* left = args[0].as<Value>();
  const auto* right = args[1].as<Value>();
  auto* out = made.as<Result>();
  decltype(Op::doubt(*left, *right, *out)) doubt = 0;
  for (std::int64_t i = 0; i < rows; ++i) {
    const Result result = Op::apply(left[i], right[i]);
    doubt |= Op::doubt(left[i], right[i], result);
    out[i] = result;
  }
  return doubt >= 0;
}

template <typename Op, typename Value, typename Result>
bool run_doubtful_unary(std::span<const Vec> args, std::int64_t rows, Made& made) {
  const auto* given = args[0].as<Value>();
  auto* out = made.as<Result>();
  decltype(Op::doubt(*given)) doubt = 0;
  for (std::int64_t i = 0; i < rows; ++i) {
    doubt |= Op::doubt(given[i]);
    out[i] = Op::apply(given[i]);
  }
  return doubt >= 0;
}
// NOLINTEND(bugprone-signed-bitwise)

template <typename Op, typename Value>
std::optional<Problem> find_binary(std::span<const Vec> args, std::int64_t rows,
                                   const std::uint8_t* valid) {
  for (std::int64_t i = 0; i < rows; ++i) {
    if (valid != nullptr && valid[i] == 0) continue;
    std::string why = Op::why_not(args[0].as<Value>()[i], args[1].as<Value>()[i]);
    if (!why.empty()) return Problem{.row = i, .why = std::move(why)};
  }
  return std::nullopt;
}

template <typename Op, typename Value>
std::optional<Problem> find_unary(std::span<const Vec> args, std::int64_t rows,
                                  const std::uint8_t* valid) {
  for (std::int64_t i = 0; i < rows; ++i) {
    if (valid != nullptr && valid[i] == 0) continue;
    std::string why = Op::why_not(args[0].as<Value>()[i]);
    if (!why.empty()) return Problem{.row = i, .why = std::move(why)};
  }
  return std::nullopt;
}

}  // namespace penstock::ops::expression
