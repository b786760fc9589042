// PEs of an executor share its cores: one that is given back is used by another only afterwards,
// and nobody uses more than there are, also when one of them dies.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "penstock/budget/table.hpp"

#include "explorer/mutant.hpp"
#include "explorer/scenario.hpp"

namespace penstock::explorer {
namespace {

using NoRelease = Mutant<SimSync, {.no_release = true}>;
using NoAcquire = Mutant<SimSync, {.no_acquire = true}>;

// One member function is replaced by a faulty one; everything else is what is shipped.
struct SeesNobody : SimSync {};

template <typename Sync>
using SimTable = budget::Table<Sync>;

}  // namespace
}  // namespace penstock::explorer

namespace penstock::budget {

template <>
int explorer::SimTable<explorer::SeesNobody>::used_by_others(std::size_t /*place*/) const {
  return 0;
}

}  // namespace penstock::budget

namespace penstock::explorer {
namespace {

constexpr int kTasks = 2;
constexpr int kCores = kTasks + 1;  // one more than is guaranteed

// What a PE gets wrong on purpose.
enum class Fault { kNone, kLowersTooEarly, kTakesWithoutLock };

// An executor of a few PEs, and the one core that none of them is guaranteed.
template <typename Sync>
struct Executor {
  budget::Header<Sync> header;
  std::array<budget::Slot<Sync>, kTasks + 1> slots;
  budget::Table<Sync> table{header, slots};
  SimSync::Mutex lock;
  typename Sync::template Plain<int> spare{0};
  std::array<int, kTasks + 1> sitting{};  // how many believe to have a place
  int threads = 0;                        // in use by all of them

  // As a PE does: the lock is tried, and without it nothing changes.
  template <typename Function>
  bool locked(bool needed, const Function& function) {
    if (!needed) {
      function();
      return true;
    }
    const std::unique_lock held(lock, std::try_to_lock);
    if (held.owns_lock()) function();
    return held.owns_lock();
  }

  void use_spare_core() {
    ++Sync::write(spare);
    SimSync::yield();
    ++Sync::write(spare);
  }

  [[nodiscard]] std::size_t sit_down(std::int32_t pid, Fault fault) {
    std::optional<std::size_t> place;
    while (!locked(fault != Fault::kTakesWithoutLock, [&] {
      place = table.try_take({.pid = pid, .started = 1}, {.guaranteed = 1, .wanted = 1});
    })) {
      SimSync::yield();
    }
    expect(place.has_value(), "there is a place for everybody");
    expect(++sitting.at(*place) == 1, "a place is one PE's");
    expect(++threads <= kCores, "no more threads than cores");
    return *place;
  }

  [[nodiscard]] bool has_raised(std::size_t place) {
    int granted = 1;
    locked(true, [&] { granted = table.raise(place, 2, kCores); });
    expect(granted <= 2, "never more than was asked for");
    if (granted == 2) expect(++threads <= kCores, "no more threads than cores");
    return granted == 2;
  }

  void give_back(std::size_t place, Fault fault) {
    if (fault == Fault::kLowersTooEarly) table.lower(place, 1);
    use_spare_core();
    --threads;
    if (fault != Fault::kLowersTooEarly) table.lower(place, 1);
  }

  void stand_up(std::size_t place) {
    --sitting.at(place);
    --threads;
    table.leave(place);
  }
};

template <typename Sync, Fault kFault = Fault::kNone>
void spare_cores_go_round() {
  Executor<Sync> executor;
  Crew crew;
  for (std::int32_t pid = 1; pid <= kTasks; ++pid) {
    crew.add("pe" + std::to_string(pid), [&executor, pid] {
      const std::size_t place = executor.sit_down(pid, kFault);
      for (int round = 0; round < 2; ++round) {
        if (executor.has_raised(place)) executor.give_back(place, kFault);
        executor.table.want(place, 1);
      }
      executor.stand_up(place);
    });
  }
  crew.join();
  expect(executor.threads == 0, "everything is given back");
}

// The first PE dies with two threads. Another may use its cores once it is known to be dead.
template <typename Sync>
void cores_of_the_dead_are_used_again() {
  Executor<Sync> executor;
  SimSync::Atomic<bool> dead{false};
  Crew crew;
  crew.add("dies", [&] {
    const std::size_t place = executor.sit_down(1, Fault::kNone);
    const bool two = executor.has_raised(place);
    if (two) executor.use_spare_core();
    executor.threads -= two ? 2 : 1;
    --executor.sitting.at(place);
    dead.store(true, std::memory_order_release);
  });
  crew.add("lives", [&] {
    const std::size_t place = executor.sit_down(2, Fault::kNone);
    for (int round = 0; round < 3; ++round) {
      executor.locked(true, [&] {
        executor.table.reclaim([&](budget::Owner owner) {
          return owner.pid == 1 && dead.load(std::memory_order_acquire);
        });
      });
      if (executor.has_raised(place)) executor.give_back(place, Fault::kNone);
    }
    executor.stand_up(place);
  });
  crew.join();
  executor.table.reclaim([](budget::Owner owner) { return owner.pid == 1; });
  expect(executor.threads == 0, "everything is given back");
  for (std::size_t place = 0; place < executor.slots.size(); ++place) {
    expect(executor.table.owner_of(place).pid == 0, "no place is left to the dead");
  }
}

const Registered kGoRound({
    .name = "budget_table.spare_cores_go_round",
    .body = spare_cores_go_round<SimSync>,
    .mutants = {{"no release", spare_cores_go_round<NoRelease>},
                {"no acquire", spare_cores_go_round<NoAcquire>},
                {"sees nobody", spare_cores_go_round<SeesNobody>},
                {"lowers too early", spare_cores_go_round<SimSync, Fault::kLowersTooEarly>},
                {"takes without lock", spare_cores_go_round<SimSync, Fault::kTakesWithoutLock>}},
});
const Registered kDead({
    .name = "budget_table.cores_of_the_dead",
    .body = cores_of_the_dead_are_used_again<SimSync>,
    .mutants = {{"sees nobody", cores_of_the_dead_are_used_again<SeesNobody>}},
});

}  // namespace
}  // namespace penstock::explorer
