#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "penstock/base/cache_line.hpp"
#include "penstock/base/sync.hpp"
#include "penstock/budget/shares.hpp"

namespace penstock::budget {

// A process, for good: numbers of processes are used again, but not together with the time at
// which they started.
struct Owner {
  std::int32_t pid = 0;
  std::uint64_t started = 0;

  bool operator==(const Owner&) const = default;
};

// The beginning of the page. Where each field lies is part of its format, for others who map it.
template <base::SyncPolicy Sync = base::RealSync>
struct alignas(base::kCacheLine) Header {
  template <typename T>
  using Atomic = typename Sync::template Atomic<T>;

  Atomic<std::uint64_t> magic{0};
  Atomic<std::uint32_t> version{0};
  Atomic<std::uint32_t> slots{0};
  // Tasks that the executor runs, whether they are flows or not, as its JVM sees it (offset 16, in
  // the byte order of the machine). -1: nobody says.
  Atomic<std::int32_t> tasks_running{-1};
  Atomic<std::uint64_t> arrivals{0};
};

// One PE. Only its owner writes here, but for whoever takes the slot and frees it after a death,
// both with the lock of the ledger.
template <base::SyncPolicy Sync = base::RealSync>
struct alignas(base::kCacheLine) Slot {
  template <typename T>
  using Atomic = typename Sync::template Atomic<T>;

  Atomic<std::int32_t> pid{0};  // 0: free. Written last, so that the rest is there with it.
  Atomic<std::int32_t> guaranteed{0};
  Atomic<std::uint64_t> started{0};
  Atomic<std::int32_t> wanted{0};
  Atomic<std::int32_t> in_use{0};
  Atomic<std::uint64_t> arrival{0};
  Atomic<std::int64_t> rows{0};  // that came through so far, for others to show
};

// Who has how many threads of an executor. Becoming more needs the ledger's lock: take(), raise()
// and reclaim(). Becoming fewer needs none, so nobody ever waits for another to give something
// back; and whoever looks without the lock sees a moment that may be past, which is good enough to
// give back, and to ask.
template <base::SyncPolicy Sync = base::RealSync>
class Table {
 public:
  // What is known of one PE among the others.
  struct Standing {
    int share = 1;     // threads it may have, as it and the others want them
    int possible = 1;  // threads it might have if it wanted as many as it can use
    int tasks = 1;     // PEs, and other tasks if that is known
  };

  Table(Header<Sync>& header, std::span<Slot<Sync>> slots) : header_(&header), slots_(slots) {}

  // With the lock: a place for a PE, which uses what is guaranteed from now on; empty when all are
  // taken.
  [[nodiscard]] std::optional<std::size_t> try_take(Owner owner, Claim claim) {
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      Slot<Sync>& slot = slots_[i];
      if (slot.pid.load(std::memory_order_acquire) != 0) continue;
      slot.started.store(owner.started, std::memory_order_relaxed);
      slot.guaranteed.store(claim.guaranteed, std::memory_order_relaxed);
      slot.wanted.store(claim.wanted, std::memory_order_relaxed);
      slot.in_use.store(claim.guaranteed, std::memory_order_relaxed);
      slot.arrival.store(header_->arrivals.fetch_add(1, std::memory_order_relaxed) + 1,
                         std::memory_order_relaxed);
      slot.rows.store(0, std::memory_order_relaxed);
      slot.pid.store(owner.pid, std::memory_order_release);
      return i;
    }
    return std::nullopt;
  }

  // With the lock: frees the places whose owners are dead; how many.
  template <typename IsDead>
  int reclaim(const IsDead& is_dead) {
    int freed = 0;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      const Owner owner = owner_of(i);
      if (owner.pid == 0 || !is_dead(owner)) continue;
      leave(i);
      ++freed;
    }
    return freed;
  }

  // With the lock: as many threads as the PE may use now, up to `threads` and never fewer than it
  // has. What others still use is theirs until they say otherwise, whatever their share is.
  int raise(std::size_t place, int threads, int cores) {
    Slot<Sync>& slot = slots_[place];
    const int now = slot.in_use.load(std::memory_order_relaxed);
    if (threads <= now) return now;
    if (slot.wanted.load(std::memory_order_relaxed) < threads) want(place, threads);
    const int share = standing(place, cores, threads).share;
    const int granted = std::min({threads, share, cores - used_by_others(place)});
    if (granted <= now) return now;
    slot.in_use.store(granted, std::memory_order_release);
    return granted;
  }

  void want(std::size_t place, int threads) {
    slots_[place].wanted.store(threads, std::memory_order_relaxed);
  }
  void tell_rows(std::size_t place, std::int64_t rows) {
    slots_[place].rows.store(rows, std::memory_order_relaxed);
  }
  // When the other threads are gone, not before.
  void lower(std::size_t place, int threads) {
    slots_[place].in_use.store(threads, std::memory_order_release);
  }
  // It cannot do with fewer, whatever others have.
  void insist(std::size_t place, int threads) {
    slots_[place].guaranteed.store(threads, std::memory_order_relaxed);
    want(place, threads);
    lower(place, threads);
  }
  void leave(std::size_t place) {
    // Whoever sees either has seen all that was done with these threads.
    lower(place, 0);
    slots_[place].pid.store(0, std::memory_order_release);
  }

  [[nodiscard]] Standing standing(std::size_t place, int cores, int most) const {
    std::vector<Seen> seen = look_around();
    const auto me = std::ranges::find(seen, place, &Seen::place);
    if (me == seen.end()) return {.tasks = static_cast<int>(seen.size())};
    const auto mine = me - seen.begin();
    const int others = other_tasks(static_cast<int>(seen.size()));
    const int cpus = seen[static_cast<std::size_t>(mine)].claim.guaranteed;
    std::vector<Claim> claims;
    claims.reserve(seen.size());
    for (const Seen& one : seen) claims.push_back(one.claim);
    const auto of_mine = [&] {
      return shares(cores - others * cpus, claims)[static_cast<std::size_t>(mine)];
    };
    Standing standing{.share = of_mine(), .tasks = static_cast<int>(seen.size()) + others};
    standing.possible = standing.share;
    int& wanted = claims[static_cast<std::size_t>(mine)].wanted;
    if (std::exchange(wanted, most) != most) standing.possible = of_mine();
    return standing;
  }

  [[nodiscard]] Owner owner_of(std::size_t place) const {
    const Slot<Sync>& slot = slots_[place];
    const std::int32_t pid = slot.pid.load(std::memory_order_acquire);
    return {.pid = pid, .started = slot.started.load(std::memory_order_relaxed)};
  }

 private:
  struct Seen {
    std::uint64_t arrival = 0;
    std::size_t place = 0;
    Claim claim;
  };

  // Everybody, in the order of arrival.
  [[nodiscard]] std::vector<Seen> look_around() const {
    std::vector<Seen> seen;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      const Slot<Sync>& slot = slots_[i];
      if (slot.pid.load(std::memory_order_acquire) == 0) continue;
      seen.push_back({.arrival = slot.arrival.load(std::memory_order_relaxed),
                      .place = i,
                      .claim = {.guaranteed = slot.guaranteed.load(std::memory_order_relaxed),
                                .wanted = slot.wanted.load(std::memory_order_relaxed)}});
    }
    std::ranges::sort(seen, {}, [](const Seen& one) { return std::pair(one.arrival, one.place); });
    return seen;
  }

  // Tasks that are not ours, or that found no place.
  [[nodiscard]] int other_tasks(int seated) const {
    return std::max(0, header_->tasks_running.load(std::memory_order_relaxed) - seated);
  }

  [[nodiscard]] int used_by_others(std::size_t place) const {
    int used = 0;
    int seated = 0;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      if (slots_[i].pid.load(std::memory_order_acquire) == 0) continue;
      ++seated;
      if (i != place) used += slots_[i].in_use.load(std::memory_order_acquire);
    }
    const int cpus = slots_[place].guaranteed.load(std::memory_order_relaxed);
    return used + other_tasks(seated) * cpus;
  }

  Header<Sync>* header_;
  std::span<Slot<Sync>> slots_;
};

}  // namespace penstock::budget
