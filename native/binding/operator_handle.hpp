#pragma once

#include <memory>
#include <stdexcept>
#include <utility>

#include "penstock/graph/operator.hpp"

namespace penstock::binding {

// An operator that Python has made and not yet given its place in a graph.
class OperatorHandle {
 public:
  explicit OperatorHandle(std::unique_ptr<graph::Operator> body) noexcept
      : body_(std::move(body)) {}

  // As take(), but it stays here.
  [[nodiscard]] const graph::Operator& body() const {
    check();
    return *body_;
  }

  // Throws std::invalid_argument if it has its place already: state is not shared by accident.
  [[nodiscard]] std::unique_ptr<graph::Operator> take() {
    check();
    return std::move(body_);
  }

 private:
  void check() const {
    if (body_ == nullptr) throw std::invalid_argument("an operator has one place in one graph");
  }

  std::unique_ptr<graph::Operator> body_;
};

}  // namespace penstock::binding
