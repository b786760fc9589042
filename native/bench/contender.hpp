#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "bench/workload/workload.hpp"

namespace penstock::bench {

// How a contender is to do it. What does not apply to one is ignored by it.
struct Setup {
  int threads = 1;           // that run operators, the one that feeds included
  int run_length = 256;      // tuples moved together, at most kLongestRun
  std::size_t window = 0;    // runs under way at most; 0 for the contender's own choice
  std::size_t capacity = 0;  // of queues; 0 for the contender's own choice
};

inline constexpr int kLongestRun = 1024;

// One way to carry a workload's tuples through its operators. Made ready with all its memory and
// threads before the clock starts, and used once.
class Contender {
 public:
  Contender() = default;
  Contender(const Contender&) = delete;
  Contender& operator=(const Contender&) = delete;
  Contender(Contender&&) = delete;
  Contender& operator=(Contender&&) = delete;
  virtual ~Contender() = default;

  // Until the last tuple of the source has reached the sink.
  virtual void run() = 0;
};

struct ContenderEntry {
  std::string_view name;
  std::unique_ptr<Contender> (*make)(Workload& workload, const Setup& setup);
};

// Null when there is none of that name.
[[nodiscard]] inline const ContenderEntry* find_contender(std::span<const ContenderEntry> entries,
                                                          std::string_view name) noexcept {
  for (const ContenderEntry& entry : entries) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

}  // namespace penstock::bench
