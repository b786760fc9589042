#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "penstock/ops/expression/kernel.hpp"

// Kernels, called on plain vectors.
namespace penstock::ops::expression {

template <typename Result>
struct Ran {
  std::vector<Result> values;
  std::vector<std::uint8_t> valid;  // none if no row is null
  std::optional<Problem> problem;
};

template <typename Result>
Ran<Result> run(const Kernel& kernel, std::vector<Vec> args, std::size_t rows) {
  Ran<Result> ran{.values = std::vector<Result>(rows), .valid = {}, .problem = {}};
  std::vector<std::uint8_t> room(rows);
  Made made{.values = ran.values.data(), .valid_room = room.data(), .valid = nullptr};
  const auto count = static_cast<std::int64_t>(rows);
  if (!kernel.run(args, count, made)) ran.problem = kernel.find(args, count, made.valid);
  if (made.valid != nullptr) ran.valid.assign(made.valid, made.valid + rows);
  return ran;
}

template <typename Value>
Vec vec(const std::vector<Value>& values) {
  return {.values = values.data(), .valid = nullptr};
}

}  // namespace penstock::ops::expression
