#pragma once

#include <cstdint>
#include <new>
#include <string>

#include "penstock/engine/threading_model.hpp"

namespace penstock::engine {

// What is asked of a threading model when it is gone.
struct Aftermath {
  std::uint64_t overruled = 0;  // as ThreadingModel::overruled()
  std::string refusal;          // as ThreadingModel::refusal()

  [[nodiscard]] static Aftermath of(const ThreadingModel& model) noexcept {
    Aftermath found{.overruled = model.overruled(), .refusal = {}};
    try {
      found.refusal = model.refusal();
    } catch (const std::bad_alloc&) {
      found.refusal.clear();  // where memory ran out the flow has failed, and says so
    }
    return found;
  }
};

}  // namespace penstock::engine
