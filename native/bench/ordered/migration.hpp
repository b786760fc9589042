#pragma once

#include <cstdint>

namespace penstock::bench::ordered {

// What a change of channels took (E17).
struct Migrated {
  double seconds = 0;       // of giving and taking, on one thread
  std::uint64_t moved = 0;  // keys
  std::uint64_t between_survivors =
      0;                 // of them, from a channel that stays to another that was there
  bool correct = false;  // every key is where it belongs, once, with all that was known of it
};

// A sum for each of `keys` 64-bit keys goes from so many channels to so many others.
[[nodiscard]] Migrated migrate(std::int64_t keys, int from, int to);

}  // namespace penstock::bench::ordered
