#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "penstock/base/check.hpp"
#include "penstock/base/sync.hpp"
#include "penstock/schedule/carrier.hpp"
#include "penstock/schedule/crew.hpp"
#include "penstock/schedule/doorbell.hpp"
#include "penstock/schedule/fused_line.hpp"
#include "penstock/schedule/line.hpp"
#include "penstock/schedule/two_ways.hpp"

namespace penstock::schedule {

// How a line is run: by how many threads, the feeder included, where its stops begin, and whether
// there are queues before all of its stations instead.
struct Layout {
  int threads = 1;
  std::vector<int> firsts;
  bool queues = false;

  bool operator==(const Layout&) const = default;
};

// A conveyor with its threads, whose layout may change while runs go through.
//
// One thread is the direct way: the feeder carries each run from end to end, and there is neither
// a baton nor a queue between two stations. Changing to it and from it, to other stops, or to
// queues and back, waits until nothing is under way, which the feeder brings about by admitting
// nothing; more or fewer threads beyond the first come and go at once. All members are the
// feeder's.
template <RunnableLine Line, base::SyncPolicy Sync = base::RealSync>
class ElasticConveyor {
 public:
  using Run = typename Line::Run;

  ElasticConveyor(Line& line, WayLimits limits, std::string name, ThreadHooks hooks = {})
      : ways_(line, limits, doorbell_),
        crew_(std::move(name), ways_, doorbell_, std::move(hooks)) {}

  // Asks for a layout; it takes effect as soon as it can.
  void adopt(Layout layout) {
    PENSTOCK_CHECK(layout.threads >= 1, "the feeder is always there");
    wanted_ = std::move(layout);
    if (can_change_at_once()) settle();
  }
  // The layout asked for is in effect.
  [[nodiscard]] bool settled() const noexcept { return !wanted_; }
  [[nodiscard]] const Layout& layout() const noexcept { return layout_; }

  [[nodiscard]] Run* try_admit() {
    if (wanted_) {
      if (under_way() != 0) return nullptr;
      settle();
    }
    return ways_.try_admit();
  }

  void load(Run& run) noexcept {
    if (layout_.threads == 1) {
      ways_.carry_alone(run);
    } else {
      ways_.load(run);
    }
  }

  // As load(), but where it can the feeder itself carries the run as far as it goes: nobody need
  // wake up.
  void carry(Run& run) noexcept {
    if (layout_.threads == 1) {
      ways_.carry_alone(run);
    } else {
      ways_.load_and_carry(run);
    }
  }

  [[nodiscard]] Run* try_collect() noexcept { return ways_.try_collect(); }
  [[nodiscard]] std::uint64_t under_way() const noexcept { return ways_.under_way(); }
  // Carries a run, or sleeps until there may be something to carry or to collect, or for `limit`.
  void help(std::optional<std::chrono::nanoseconds> limit = {}) {
    if (!lend_a_hand(ways_, doorbell_, limit) && !ways_.collectable()) ways_.look_over();
  }

  // Carries a run that waits for a thread; false when there is none.
  [[nodiscard]] bool try_help() noexcept {
    auto work = ways_.try_take(true);
    if (!work) return false;
    ways_.carry(std::move(work));
    return true;
  }

  [[nodiscard]] FusedLine<Line, Sync>& line() noexcept { return ways_.stops(); }
  [[nodiscard]] const Crew<TwoWays<Line, Sync>, Sync>& crew() const noexcept { return crew_; }
  // Nothing is carried any more once every thread has finished the work it is at.
  void dismiss() noexcept { crew_.dismiss(); }

 private:
  [[nodiscard]] bool can_change_at_once() const noexcept {
    return under_way() == 0 ||
           (wanted_->firsts == layout_.firsts && wanted_->queues == layout_.queues &&
            (wanted_->threads == 1) == (layout_.threads == 1));
  }

  void settle() {
    Layout next = std::move(*wanted_);
    wanted_.reset();
    if (under_way() == 0) {
      if (!next.firsts.empty() && next.firsts != layout_.firsts) line().arrange(next.firsts);
      ways_.use_ports(next.queues && next.threads > 1);
    }
    layout_ = std::move(next);
    crew_.set_level(layout_.threads - 1);
  }

  Doorbell<Sync> doorbell_;
  TwoWays<Line, Sync> ways_;
  Layout layout_;
  std::optional<Layout> wanted_;
  Crew<TwoWays<Line, Sync>, Sync> crew_;  // last: its threads use all of the above
};

}  // namespace penstock::schedule
