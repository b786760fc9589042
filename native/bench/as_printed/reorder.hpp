#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "bench/workload/item.hpp"

namespace penstock::bench::as_printed {

// Puts tuples that arrive in any order back into that of the source, for one thread at a time.
// The paper's queues keep the order along one path only (A13), so where pipelines meet something
// like this must stand.
class Reorder {
 public:
  // Calls `take` for every tuple whose turn has come.
  template <typename Take>
  void add(const Item& item, Take take) {
    if (item.serial == next_) {
      take(item);
      ++next_;
      while (slot(next_).waits) {
        slot(next_).waits = false;
        take(slot(next_).item);
        ++next_;
      }
      return;
    }
    while (item.serial - next_ >= slots_.size()) grow();
    slot(item.serial) = {.item = item, .waits = true};
  }

 private:
  struct Slot {
    Item item;
    bool waits = false;
  };

  [[nodiscard]] Slot& slot(std::uint64_t serial) noexcept {
    return slots_[serial & (slots_.size() - 1)];
  }

  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    std::swap(old, slots_);
    for (const Slot& each : old) {
      if (each.waits) slot(each.item.serial) = each;
    }
  }

  std::uint64_t next_ = 0;
  std::vector<Slot> slots_ = std::vector<Slot>(1024);
};

}  // namespace penstock::bench::as_printed
