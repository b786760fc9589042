#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "penstock/base/check.hpp"
#include "penstock/base/sync.hpp"

namespace penstock::queue {

// The set of ports that may hold work: one bit each, found by counting zeros instead of walking
// a list of ports.
//
// The bits are the truth. Above them, one hint per word says that the word may hold a bit; hints
// only shorten the search. They may be missing for a moment, so a search that followed them in
// vain looks at every word before it reports that nothing is ready.
//
// A port that is put in after its item was pushed is taken before its queue is read. So either
// the taker sees the item, or the bit is set again after it was taken.
template <base::SyncPolicy Sync = base::RealSync>
class ReadySet {
 public:
  explicit ReadySet(std::size_t size)
      : size_(size),
        words_(std::make_unique<Word[]>(words())),
        hints_(std::make_unique<Word[]>(hints())) {}

  // True when the port was not in the set before: then somebody should be woken for it.
  bool set(std::size_t port) noexcept {
    PENSTOCK_CHECK(port < size_, "A port must be inside the ready set.");
    // Look before leaping: a busy port is mostly in the set already, and its line then stays
    // shared. The fence pairs with the one in try_take().
    Sync::fence_seq_cst();
    Word& word = words_[port / kBits];
    if ((word.load(std::memory_order_relaxed) & bit(port)) != 0) return false;
    if ((word.fetch_or(bit(port), std::memory_order_acq_rel) & bit(port)) != 0) return false;
    show(port / kBits);
    return true;
  }

  // Takes out the first port at or after `start`, going round. Empty only if there was a moment
  // for each port at which it was not in the set.
  [[nodiscard]] std::optional<std::size_t> take_next(std::size_t start) noexcept {
    if (size_ == 0) return std::nullopt;
    start %= size_;
    if (const auto port = take_hinted(start)) return port;
    return take_anywhere(start);
  }

  // Stale before it returns: for policies and metrics, never a precondition.
  [[nodiscard]] std::size_t size_hint() const noexcept {
    std::size_t count = 0;
    for (std::size_t i = 0; i < words(); ++i) {
      count += static_cast<std::size_t>(std::popcount(words_[i].load(std::memory_order_relaxed)));
    }
    return count;
  }

  [[nodiscard]] std::size_t capacity() const noexcept { return size_; }

 private:
  using Word = typename Sync::template Atomic<std::uint64_t>;
  static constexpr std::size_t kBits = 64;

  static std::uint64_t bit(std::size_t index) noexcept {
    return std::uint64_t{1} << (index % kBits);
  }
  static std::uint64_t from(std::size_t index) noexcept {
    return ~std::uint64_t{0} << (index % kBits);
  }
  [[nodiscard]] std::size_t words() const noexcept { return (size_ + kBits - 1) / kBits; }
  [[nodiscard]] std::size_t hints() const noexcept { return (words() + kBits - 1) / kBits; }

  void show(std::size_t word) noexcept {
    Word& hint = hints_[word / kBits];
    if ((hint.load(std::memory_order_relaxed) & bit(word)) != 0) return;
    hint.fetch_or(bit(word), std::memory_order_relaxed);
  }

  // Start's word from start on, the words that the hints name, and start's word once more for
  // the bits before start.
  [[nodiscard]] std::optional<std::size_t> take_hinted(std::size_t start) noexcept {
    const std::size_t home = start / kBits;
    if (const auto port = take_from(home, from(start))) return port;
    const std::size_t first = (home + 1) % words();
    std::uint64_t mask = from(first);
    for (std::size_t step = 0; step <= hints(); ++step) {
      const std::size_t group = (first / kBits + step) % hints();
      auto shown = hints_[group].load(std::memory_order_relaxed) & mask;
      for (; shown != 0; shown &= shown - 1) {
        const auto word = group * kBits + static_cast<std::size_t>(std::countr_zero(shown));
        if (const auto port = take_from(word, ~std::uint64_t{0})) return port;
        hide(word);
      }
      mask = ~std::uint64_t{0};
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<std::size_t> take_anywhere(std::size_t start) noexcept {
    for (std::size_t step = 0; step < words(); ++step) {
      const std::size_t word = (start / kBits + step) % words();
      const auto port = take_from(word, ~std::uint64_t{0});
      if (!port) continue;
      // Other bits of a word without a hint would be found this slow way again.
      show(word);
      return port;
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<std::size_t> take_from(std::size_t index,
                                                     std::uint64_t mask) noexcept {
    Word& word = words_[index];
    auto bits = word.load(std::memory_order_relaxed) & mask;
    while (bits != 0) {
      const auto lowest = bits & (~bits + 1);
      const auto before = word.fetch_and(~lowest, std::memory_order_acq_rel);
      if ((before & lowest) != 0) {
        Sync::fence_seq_cst();
        return index * kBits + static_cast<std::size_t>(std::countr_zero(lowest));
      }
      bits = before & mask;
    }
    return std::nullopt;
  }

  void hide(std::size_t word) noexcept {
    hints_[word / kBits].fetch_and(~bit(word), std::memory_order_relaxed);
    if (words_[word].load(std::memory_order_relaxed) != 0) show(word);
  }

  const std::size_t size_;
  const std::unique_ptr<Word[]> words_;
  const std::unique_ptr<Word[]> hints_;
};

}  // namespace penstock::queue
