#include "penstock/budget/seat.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <unistd.h>
#include <utility>

#include "penstock/budget/process.hpp"

namespace penstock::budget {

namespace {

// Whoever holds the lock has it for some microseconds, unless it was stopped.
constexpr int kTries = 20;
constexpr auto kNap = std::chrono::microseconds(50);

int at_least_one(const std::string& name, int value) {
  if (value >= 1) return value;
  throw std::invalid_argument(name + " must be 1 or more, got " + std::to_string(value));
}

}  // namespace

Seat::Seat(const std::string& path, int cores, int guaranteed)
    : ledger_(path),
      owner_(this_process()),
      cores_(at_least_one("cores", cores)),
      guaranteed_(at_least_one("guaranteed", guaranteed)) {
  for (int tries = 0; tries < kTries && !seated(); ++tries) {
    if (tries > 0) std::this_thread::sleep_for(kNap);
    try_sit_down();
  }
}

void Seat::try_sit_down() {
  const Ledger::Lock lock(ledger_);
  if (!lock) return;
  auto table = ledger_.table();
  table.reclaim(is_dead);
  place_ = table.try_take(owner_, {.guaranteed = guaranteed_, .wanted = guaranteed_});
  if (place_ && insisted_ != 0) table.insist(*place_, insisted_);
}

Allowance::Standing Seat::look(const Demand& demand) {
  const Standing alone{.share = guaranteed_, .possible = guaranteed_, .tasks = 1, .cores = cores_};
  if (forked() || left_) return alone;
  if (!seated()) try_sit_down();
  if (!seated()) return alone;
  auto table = ledger_.table();
  table.want(*place_, std::max(guaranteed_, demand.wanted));
  table.tell_rows(*place_, demand.rows);
  auto found = table.standing(*place_, cores_, demand.most);
  if (found.possible < demand.most && looks_++ % kLooksPerSweep == 0 && sweep() > 0) {
    found = table.standing(*place_, cores_, demand.most);
  }
  return {.share = found.share, .possible = found.possible, .tasks = found.tasks, .cores = cores_};
}

int Seat::sweep() {
  auto table = ledger_.table();
  bool any = false;
  for (std::size_t i = 0; i < Ledger::kSlots && !any; ++i) {
    const Owner owner = table.owner_of(i);
    any = owner.pid != 0 && owner != owner_ && is_dead(owner);
  }
  if (!any) return 0;
  const Ledger::Lock lock(ledger_);
  return lock ? table.reclaim(is_dead) : 0;
}

int Seat::raise(int threads) {
  if (forked() || left_ || !seated()) return guaranteed_;
  const Ledger::Lock lock(ledger_);
  // Whoever asks for what it has got already gets it without the lock as well.
  return ledger_.table().raise(*place_, lock ? threads : 0, cores_);
}

void Seat::lower(int threads) {
  if (forked() || left_ || !seated()) return;
  ledger_.table().lower(*place_, std::max(guaranteed_, threads));
}

void Seat::insist(int threads) {
  insisted_ = threads;
  guaranteed_ = threads;
  if (forked() || left_ || !seated()) return;
  ledger_.table().insist(*place_, threads);
}

void Seat::leave() noexcept {
  if (forked()) return;  // whoever held the lock here stayed in the other process
  const std::scoped_lock once(leaving_);
  if (std::exchange(left_, true) || !seated()) return;
  ledger_.table().leave(*place_);
}

bool Seat::forked() const noexcept { return getpid() != owner_.pid; }

}  // namespace penstock::budget
