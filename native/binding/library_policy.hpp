#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "penstock/policy/custom_policy.hpp"

namespace penstock::binding {

// A policy in a library of the user's, of which each flow that runs makes one of its own.
class LibraryPolicy {
 public:
  LibraryPolicy(const penstock_policy& functions, std::shared_ptr<const void> owner)
      : functions_(functions), owner_(std::move(owner)) {}

  [[nodiscard]] std::unique_ptr<policy::Policy> make(std::size_t operators) const {
    return std::make_unique<policy::CustomPolicy>(functions_, owner_, operators,
                                                  policy::Parameters{}.seed);
  }

 private:
  penstock_policy functions_;
  std::shared_ptr<const void> owner_;  // the library
};

}  // namespace penstock::binding
