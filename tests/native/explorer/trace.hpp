#pragma once

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <type_traits>

#include "explorer/schedule.hpp"

namespace penstock::explorer {

[[nodiscard]] inline const char* name_of(std::memory_order order) noexcept {
  switch (order) {
    case std::memory_order_relaxed:
      return "relaxed";
    case std::memory_order_acquire:
      return "acquire";
    case std::memory_order_release:
      return "release";
    case std::memory_order_acq_rel:
      return "acq_rel";
    case std::memory_order_seq_cst:
      return "seq_cst";
    default:
      return "consume";
  }
}

inline void trace(const char* what) {
  Schedule& schedule = Schedule::running();
  if (!schedule.tracing()) return;
  std::fprintf(stderr, "%6llu %-14s %s\n", static_cast<unsigned long long>(schedule.steps()),
               schedule.current().name.c_str(), what);
}

template <typename T>
void trace_operation(const char* what, const void* where, std::memory_order order, T value) {
  Schedule& schedule = Schedule::running();
  if (!schedule.tracing()) [[likely]]
    return;
  std::uint64_t shown = 0;
  if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
    shown = static_cast<std::uint64_t>(value);
  } else if constexpr (std::is_pointer_v<T>) {
    shown = reinterpret_cast<std::uintptr_t>(value);
  }
  std::fprintf(stderr, "%6llu %-14s %s %s of %p: 0x%llx\n",
               static_cast<unsigned long long>(schedule.steps()), schedule.current().name.c_str(),
               what, name_of(order), where, static_cast<unsigned long long>(shown));
}

}  // namespace penstock::explorer
