#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "penstock/ops/expression/vec.hpp"

namespace penstock::ops::expression {

// What the lines of a program made of one block, and the room for it. A thread keeps one for all
// programs: it belongs to the program that ran last.
class Registers {
 public:
  // So many, each with room for a block of the widest type.
  void reserve(std::size_t count) {
    while (rooms_.size() < count) rooms_.push_back(std::make_unique<Room>());
    vecs_.resize(count);
  }

  [[nodiscard]] const Vec& at(int line) const { return vecs_[static_cast<std::size_t>(line)]; }
  void put(std::size_t line, Vec vec) noexcept { vecs_[line] = vec; }
  [[nodiscard]] Made room(std::size_t line) noexcept {
    Room& room = *rooms_[line];
    return {.values = room.values, .valid_room = room.valid, .valid = nullptr};
  }

  // Of the calling thread.
  [[nodiscard]] static Registers& here() {
    thread_local Registers registers;
    return registers;
  }

 private:
  struct alignas(64) Room {  // NOLINT(*-member-init): written before it is read
    std::byte values[kBlockRows * sizeof(std::uint64_t)];
    std::uint8_t valid[kBlockRows];
  };

  std::vector<std::unique_ptr<Room>> rooms_;
  std::vector<Vec> vecs_;
};

}  // namespace penstock::ops::expression
