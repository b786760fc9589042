#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "penstock/policy/operator_view.hpp"

namespace penstock::policy {

inline constexpr int kNobody = -1;

// Decides which operator a free worker takes next. Pure but for what it says it remembers (where a
// round stands, a seeded generator): no thread, no clock. One caller at a time.
class Policy {
 public:
  Policy() = default;
  Policy(const Policy&) = delete;
  Policy& operator=(const Policy&) = delete;
  Policy(Policy&&) = delete;
  Policy& operator=(Policy&&) = delete;
  virtual ~Policy() = default;

  // One of `operators`, which are in topological order, by its place; kNobody if none is
  // schedulable.
  [[nodiscard]] virtual int pick(std::span<const OperatorView> operators, double now) = 0;
};

struct Parameters {
  double slice = 0.001;          // how long a worker stays at an operator, in seconds
  std::int64_t capacity = 1024;  // tuples that all output queues together may hold (QST)
  std::uint64_t seed = 1;        // of what is chosen by lot
};

// The words by which policies are chosen, the papers' abbreviations apart.
[[nodiscard]] std::span<const std::string_view> names() noexcept;

// A policy's word, by that or its abbreviation, in small letters or large ones. Throws
// std::invalid_argument, naming what there is.
[[nodiscard]] std::string_view word_of(std::string_view name);

// By its word or its abbreviation. Throws std::invalid_argument, naming what there is.
[[nodiscard]] std::unique_ptr<Policy> make(std::string_view name, const Parameters& parameters);

}  // namespace penstock::policy
