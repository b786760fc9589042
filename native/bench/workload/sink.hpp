#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "bench/workload/item.hpp"
#include "bench/workload/steady.hpp"

namespace penstock::bench {

// Checks that every tuple arrives once and in order, whoever carried it. One at a time may call
// take(): that is the contender's business.
class Sink {
 public:
  // To remember the latencies of so many tuples.
  void time_tuples(std::size_t tuples) {
    timed_ = true;
    latencies_.reserve(tuples);
  }

  // To call `noted` once, when so many tuples have arrived in order.
  void note_at(std::uint64_t tuples, std::function<void()> noted) {
    note_at_ = tuples;
    noted_ = std::move(noted);
  }

  void take(const Item& item) noexcept {
    if (item.serial == next_) [[likely]] {
      if (++next_ == note_at_) [[unlikely]]
        noted_();
    } else {
      take_irregular(item.serial);
    }
    checksum_ = std::rotl(checksum_, 1) + (item.value ^ std::bit_cast<std::uint64_t>(item.number));
    if (timed_) latencies_.push_back(steady_ns() - item.handed_over);
  }

  // Everything that arrived, however often.
  [[nodiscard]] std::uint64_t taken() const noexcept {
    return next_ - missing_.size() + duplicated_;
  }
  // Of `sent` tuples, those that never arrived.
  [[nodiscard]] std::uint64_t lost(std::uint64_t sent) const noexcept {
    return missing_.size() + (sent - next_);
  }
  [[nodiscard]] std::uint64_t duplicated() const noexcept { return duplicated_; }
  [[nodiscard]] std::uint64_t out_of_order() const noexcept { return out_of_order_; }
  [[nodiscard]] std::uint64_t checksum() const noexcept { return checksum_; }
  [[nodiscard]] std::vector<std::int64_t>& latencies() noexcept { return latencies_; }

 private:
  void take_irregular(std::uint64_t serial);

  std::uint64_t next_ = 0;  // one more than the highest that arrived
  std::uint64_t note_at_ = 0;
  std::uint64_t checksum_ = 0;
  bool timed_ = false;
  std::uint64_t duplicated_ = 0;
  std::uint64_t out_of_order_ = 0;
  std::unordered_set<std::uint64_t> missing_;  // lower ones that did not
  std::vector<std::int64_t> latencies_;
  std::function<void()> noted_;
};

}  // namespace penstock::bench
