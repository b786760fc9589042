#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace penstock::base {

// Hashes that decide where a key lives. A state that was saved is found again only if they give
// the same numbers in every process, on every machine and in every version, so they are never
// changed: published functions, bytes read as little-endian words, golden vectors in the tests.

struct Hash128 {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  friend constexpr auto operator<=>(const Hash128&, const Hash128&) noexcept = default;
};

// One step of SplitMix64 (Steele, Lea, Flood 2014): a bijection, so no two integers collide.
[[nodiscard]] constexpr std::uint64_t hash64(std::uint64_t value) noexcept {
  value += 0x9E3779B97F4A7C15U;
  value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9U;
  value = (value ^ (value >> 27U)) * 0x94D049BB133111EBU;
  return value ^ (value >> 31U);
}

// The hash of `first` followed by `second`; the order matters.
[[nodiscard]] constexpr std::uint64_t combine(std::uint64_t first, std::uint64_t second) noexcept {
  return hash64((first * 0xFF51AFD7ED558CCDU) + second);
}

namespace detail {

constexpr std::uint64_t kMurmur1 = 0x87C37B91114253D5U;
constexpr std::uint64_t kMurmur2 = 0x4CF5AD432745937FU;

template <typename Word>
[[nodiscard]] inline std::uint64_t load_little(const unsigned char* bytes) noexcept {
  Word word = 0;
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(&word, bytes, sizeof(Word));
  } else {
    for (std::size_t at = sizeof(Word); at-- > 0;) {
      word = static_cast<Word>((word << 8U) | bytes[at]);
    }
  }
  return word;
}

// The last 1 to 8 bytes. Loads that overlap are cheaper than a loop or a call of memcpy.
[[nodiscard]] inline std::uint64_t load_rest(const unsigned char* bytes,
                                             std::size_t count) noexcept {
  if (count == 8) return load_little<std::uint64_t>(bytes);
  if (count >= 4) {
    return load_little<std::uint32_t>(bytes) |
           (load_little<std::uint32_t>(bytes + count - 4) << (8 * (count - 4)));
  }
  const std::size_t middle = count / 2;
  const std::size_t last = count - 1;
  return bytes[0] | (std::uint64_t{bytes[middle]} << (8 * middle)) |
         (std::uint64_t{bytes[last]} << (8 * last));
}

[[nodiscard]] constexpr std::uint64_t scramble_first(std::uint64_t word) noexcept {
  return std::rotl(word * kMurmur1, 31) * kMurmur2;
}

[[nodiscard]] constexpr std::uint64_t scramble_second(std::uint64_t word) noexcept {
  return std::rotl(word * kMurmur2, 33) * kMurmur1;
}

[[nodiscard]] constexpr std::uint64_t finish(std::uint64_t word) noexcept {
  word = (word ^ (word >> 33U)) * 0xFF51AFD7ED558CCDU;
  word = (word ^ (word >> 33U)) * 0xC4CEB9FE1A85EC53U;
  return word ^ (word >> 33U);
}

}  // namespace detail

// MurmurHash3_x64_128 (Appleby): `high` is the half that its reference writes first.
[[nodiscard]] inline Hash128 hash128(const void* data, std::size_t size,
                                     std::uint32_t seed = 0) noexcept {
  const auto* bytes = static_cast<const unsigned char*>(data);
  std::uint64_t first = seed;
  std::uint64_t second = seed;
  std::size_t left = size;
  for (; left >= 16; left -= 16, bytes += 16) {
    first ^= detail::scramble_first(detail::load_little<std::uint64_t>(bytes));
    first = ((std::rotl(first, 27) + second) * 5) + 0x52DCE729U;
    second ^= detail::scramble_second(detail::load_little<std::uint64_t>(bytes + 8));
    second = ((std::rotl(second, 31) + first) * 5) + 0x38495AB5U;
  }
  if (left > 8) second ^= detail::scramble_second(detail::load_rest(bytes + 8, left - 8));
  if (left > 0) first ^= detail::scramble_first(detail::load_rest(bytes, left < 8 ? left : 8));
  first ^= size;
  second ^= size;
  first += second;
  second += first;
  first = detail::finish(first);
  second = detail::finish(second);
  first += second;
  second += first;
  return {.high = first, .low = second};
}

// The 64 bits of hash128 that most implementations call the 64-bit MurmurHash3.
[[nodiscard]] inline std::uint64_t hash64(const void* data, std::size_t size) noexcept {
  return hash128(data, size).high;
}

}  // namespace penstock::base
