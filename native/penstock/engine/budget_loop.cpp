#include "penstock/engine/budget_loop.hpp"

#include <algorithm>
#include <utility>

namespace penstock::engine {

BudgetLoop::BudgetLoop(budget::Allowance& allowance, int most, bool elastic)
    : allowance_(&allowance),
      most_(most),
      elastic_(elastic),
      limit_(std::min(most, allowance.guaranteed())),
      held_(allowance.guaranteed()) {}

int BudgetLoop::begin() {
  standing_ = allowance_->look({.wanted = most_, .most = most_});
  const int possible = std::min(most_, standing_.possible);
  if (elastic_) {
    limit_ = std::max(limit_, possible);
    return 1;
  }
  limit_ = std::min(most_, ask(possible));
  return limit_;
}

int BudgetLoop::ask(int threads) {
  held_ = std::max(held_, allowance_->raise(threads));
  if (held_ < threads) limit_ = std::min(limit_, held_);
  return std::min(held_, threads);
}

void BudgetLoop::note_gone(const Levers& levers) {
  if (held_ <= allowance_->guaranteed()) return;
  // A plan that is not in effect yet may still bring the threads it asks for.
  const int threads =
      std::max({levers.threads(), levers.threads_with_late_ones(), levers.plan().threads});
  if (threads >= held_) return;
  held_ = std::max(threads, allowance_->guaranteed());
  allowance_->lower(held_);
}

std::optional<BudgetLoop::Change> BudgetLoop::look(const Levers& levers, const Use& use) {
  const int threads = levers.plan().threads;
  // Who has found that more do not pay wants no more, so that others may have them.
  const bool enough = elastic_ && use.settled && threads < limit_;
  standing_ =
      allowance_->look({.wanted = enough ? threads : most_, .most = most_, .rows = use.rows});
  const int share = std::min(most_, standing_.share);
  if (share < threads) {
    more_was_free_ = false;
    limit_ = share;
    return Change{.threads = share, .why = why()};
  }
  const int possible = std::min(most_, standing_.possible);
  if (possible <= limit_) more_was_free_ = false;
  // Who has not found out yet what more threads bring does so when there are some.
  if (possible < limit_ && elastic_ && !use.settled) {
    limit_ = std::max(threads, possible);
    return Change{.threads = limit_, .why = why()};
  }
  if (possible <= limit_) return std::nullopt;
  if (!std::exchange(more_was_free_, true)) return std::nullopt;
  return take_more(possible, threads);
}

std::optional<BudgetLoop::Change> BudgetLoop::take_more(int possible, int threads) {
  // Where fewer were chosen than there might have been, more are tried when their turn comes.
  if (elastic_ && threads < limit_) {
    limit_ = possible;
    return Change{.threads = possible, .more = true, .at_once = false, .why = why()};
  }
  const int before = limit_;
  const int granted = std::min(possible, allowance_->raise(possible));
  held_ = std::max(held_, granted);
  if (granted <= before) return std::nullopt;  // somebody has not given it back yet
  limit_ = granted;
  return Change{.threads = granted, .more = true, .why = why()};
}

void BudgetLoop::set_most(int most) {
  most_ = most;
  limit_ = std::min(limit_, most);
}

std::string BudgetLoop::why() const {
  const std::string cores =
      std::to_string(standing_.cores) + (standing_.cores == 1 ? " core" : " cores");
  if (standing_.tasks == 1) return "1 task has " + cores;
  return std::to_string(standing_.tasks) + " tasks share " + cores;
}

}  // namespace penstock::engine
