#pragma once

#include <cstdint>
#include <deque>

#include "penstock/policy/operator_view.hpp"
#include "penstock/schedule/port_policy.hpp"

namespace penstock::schedule {

// What is remembered of a port from one look at it to the next: when that came which waits, and
// what was measured in the current window and the one before it. One thread at a time.
class PortHistory {
 public:
  struct Measured {
    double last_begin = 0;
    double busy = 0;  // seconds, since the beginning
    std::uint64_t runs = 0;
  };

  // A new window of measurement begins.
  void turn_over() noexcept {
    before_ = window_;
    window_ = latest_;
  }

  // The port at this moment, as a policy sees it. A run counts as one tuple, and whatever an
  // operator makes of it is one for the next.
  [[nodiscard]] policy::OperatorView look(const PortState& port, const Measured& measured,
                                          double now) {
    latest_ = measured;
    const double cost = cost_of_one();
    return {.cost = cost,
            .waiting = static_cast<std::int64_t>(port.waiting),
            .workers = port.served ? 1 : 0,
            .window_time = measured.busy - window_.busy,
            .last_run = measured.last_begin,
            .oldest = oldest(port, now),
            .read_rate = cost > 0 ? 1 / cost : 0,
            .write_rate = cost > 0 ? 1 / cost : 0,
            .made = static_cast<std::int64_t>(port.behind),
            .room = port.last ? policy::OperatorView::kUnlimited
                              : static_cast<std::int64_t>(port.room)};
  }

 private:
  struct Arrival {
    std::uint64_t upto = 0;  // runs that ever came, with these
    double time = 0;
  };

  // Of this window and the one before; of all time if nothing was served in them.
  [[nodiscard]] double cost_of_one() const noexcept {
    const Measured& since = latest_.runs > before_.runs ? before_ : Measured{};
    if (latest_.runs == since.runs) return 0;
    return (latest_.busy - since.busy) / static_cast<double>(latest_.runs - since.runs);
  }

  // When the first of those that wait was seen first: what comes between two looks is of the
  // second, so nothing has to be written down where runs are put into queues.
  [[nodiscard]] double oldest(const PortState& port, double now) {
    const std::uint64_t came = port.taken + port.waiting;
    if (came > came_) arrivals_.push_back({.upto = came_ = came, .time = now});
    while (!arrivals_.empty() && arrivals_.front().upto <= port.taken) arrivals_.pop_front();
    return arrivals_.empty() ? now : arrivals_.front().time;
  }

  std::uint64_t came_ = 0;
  std::deque<Arrival> arrivals_;
  Measured latest_;
  Measured window_;  // when the current window began
  Measured before_;  // when the one before it did
};

}  // namespace penstock::schedule
