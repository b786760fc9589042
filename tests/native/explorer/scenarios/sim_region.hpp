#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "penstock/base/hash.hpp"
#include "penstock/graph/divided_operator.hpp"
#include "penstock/region/hash_ring.hpp"
#include "penstock/region/migration.hpp"
#include "penstock/schedule/line.hpp"

#include "explorer/scenario.hpp"

namespace penstock::explorer {

// What channels may do wrong.
enum class ChannelFault {
  kNone,
  kNewStandsFirst,  // new channels stand before those that give to them (F5)
  kOnlySurvivors,   // packages of the channels that go are taken by nobody (A21)
  kAddressedByOld,  // packages are addressed by the old width
  kGivesACopy,      // what was given is not forgotten
  kGivesNothing,    // what belongs to another channel is kept
};

// A region as a line of stations: a splitter, channels that count the rows of each key, each on its
// own, and a merger. What a run carries, what a channel remembers and what a resize takes along are
// plain fields, so handing them over without an order between the threads is reported as a race.
template <typename Sync, ChannelFault kFault = ChannelFault::kNone>
class SimRegion {
 public:
  static constexpr int kChannels = 3;
  // By width: 0 1 1, 0 1 2, 0 0 2 and 0 0 0.
  static constexpr std::array<std::uint64_t, 4> kHashes{base::hash64(0), base::hash64(2),
                                                        base::hash64(8), base::hash64(10)};
  static constexpr std::size_t kKeys = kHashes.size();
  using Counts = std::array<int, kKeys>;

  struct Row {
    std::size_t key = 0;
    int expected = 0;  // what a sequential run would count
    int channel = -1;
    int met = -1;
  };
  struct Load {
    std::optional<region::Migration::Pulse> pulse;  // or rows:
    int width = 0;
    std::array<Row, 2> rows{};
    int passed = 0;
  };
  struct Run : schedule::Run {
    typename Sync::template Plain<Load> load;
  };

  [[nodiscard]] int stations() const noexcept { return kChannels + 2; }
  [[nodiscard]] bool serial(int station) const noexcept { return station > 0; }

  void work(int station, Run& run) noexcept {
    Load& load = Sync::write(run.load);
    expect(load.passed++ == station, "a run visits the stations one after another");
    if (serial(station)) {
      auto& next = Sync::write(next_[static_cast<std::size_t>(station)]);
      expect(next++ == run.serial, "runs pass a serial station in order");
    }
    if (station == 0) {
      split(load);
    } else if (station <= kChannels) {
      visit(kFault == ChannelFault::kNewStandsFirst ? kChannels - station : station - 1, load);
    }
  }

  // Every key is in one place, with all the rows that were counted. By one thread, at the end.
  void expect_nothing_lost() const {
    const auto& moving = Sync::read(moving_);
    for (std::size_t key = 0; key < kKeys; ++key) {
      int places = 0;
      int found = 0;
      int counted = 0;
      const auto look_at = [&](int count) {
        places += count > 0 ? 1 : 0;
        found += count;
      };
      for (const auto& memory : memories_) {
        look_at(Sync::read(memory).counts[key]);
        counted += Sync::read(memory).worked_on[key];
      }
      for (const Package& package : moving) look_at(package.key == key ? package.count : 0);
      expect(found == counted, "no row is forgotten");
      expect(places <= 1, "a key is in one place");
    }
  }

  // Everything that a sequential run would know is with the channels of this width.
  void expect_all_there(const Counts& expected, int width) const {
    expect(Sync::read(moving_).empty(), "all that was given is taken");
    for (std::size_t key = 0; key < kKeys; ++key) {
      const auto& owner = memories_[static_cast<std::size_t>(owner_of(key, width))];
      expect(Sync::read(owner).counts[key] == expected[key], "the state is that of one thread");
    }
    expect_nothing_lost();
  }

 private:
  struct Memory {
    Counts counts{};
    Counts worked_on{};  // rows of each key that were worked on here, wherever the key is now
  };
  struct Package {
    int from = 0;
    int to = 0;
    std::size_t key = 0;
    int count = 0;
  };

  [[nodiscard]] static int owner_of(std::size_t key, int width) {
    static const std::array rings{region::HashRing(1), region::HashRing(2), region::HashRing(3)};
    return rings.at(static_cast<std::size_t>(width - 1)).channel_of(kHashes.at(key));
  }

  static void split(Load& load) noexcept {
    if (load.pulse) return;
    for (Row& row : load.rows) row.channel = owner_of(row.key, load.width);
  }

  void visit(int channel, Load& load) noexcept {
    Memory& memory = Sync::write(memories_[static_cast<std::size_t>(channel)]);
    if (!load.pulse) {
      count_rows(channel, memory, load);
      return;
    }
    if (load.pulse->what != graph::Resizing::kTake) give(channel, memory, *load.pulse);
    if (load.pulse->what != graph::Resizing::kGive) take(channel, memory, *load.pulse);
  }

  static void count_rows(int channel, Memory& memory, Load& load) noexcept {
    for (Row& row : load.rows) {
      if (row.channel != channel) continue;
      expect(row.met == -1, "a row is worked on once");
      row.met = memory.counts[row.key]++;
      ++memory.worked_on[row.key];
    }
  }

  void give(int channel, Memory& memory, const region::Migration::Pulse& pulse) noexcept {
    if constexpr (kFault == ChannelFault::kGivesNothing) return;
    const int addressed_by = kFault == ChannelFault::kAddressedByOld ? pulse.from : pulse.to;
    for (std::size_t key = 0; key < kKeys; ++key) {
      if (memory.counts[key] == 0 || owner_of(key, pulse.to) == channel) continue;
      Sync::write(moving_).push_back({.from = channel,
                                      .to = owner_of(key, addressed_by),
                                      .key = key,
                                      .count = memory.counts[key]});
      if constexpr (kFault != ChannelFault::kGivesACopy) memory.counts[key] = 0;
    }
  }

  void take(int channel, Memory& memory, const region::Migration::Pulse& pulse) noexcept {
    std::erase_if(Sync::write(moving_), [&](const Package& package) {
      if (package.to != channel) return false;
      if (kFault == ChannelFault::kOnlySurvivors && package.from >= pulse.to) return false;
      expect(memory.counts[package.key] == 0, "a channel takes no key that it knows");
      memory.counts[package.key] = package.count;
      return true;
    });
  }

  std::array<typename Sync::template Plain<Memory>, kChannels> memories_;
  typename Sync::template Plain<std::vector<Package>> moving_;  // one resize at a time
  std::array<typename Sync::template Plain<std::uint64_t>, kChannels + 2> next_;
};

}  // namespace penstock::explorer
