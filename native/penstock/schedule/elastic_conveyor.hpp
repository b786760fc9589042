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
#include "penstock/schedule/conveyor.hpp"
#include "penstock/schedule/crew.hpp"
#include "penstock/schedule/doorbell.hpp"
#include "penstock/schedule/fused_line.hpp"
#include "penstock/schedule/line.hpp"

namespace penstock::schedule {

// How a line is run: by how many threads, the feeder included, and where its stops begin.
struct Layout {
  int threads = 1;
  std::vector<int> firsts;

  bool operator==(const Layout&) const = default;
};

// A conveyor with its threads, whose layout may change while runs go through.
//
// One thread is the direct way: the feeder carries each run from end to end, and there is neither
// a baton nor a list between two stations. Changing to it and from it, or to other stops, waits
// until nothing is under way, which the feeder brings about by admitting nothing; more or fewer
// threads beyond the first come and go at once. All members but costs() are the feeder's.
template <RunnableLine Line, base::SyncPolicy Sync = base::RealSync>
class ElasticConveyor {
 public:
  using Run = typename Line::Run;

  ElasticConveyor(Line& line, std::size_t window, std::string name, ThreadHooks hooks = {})
      : line_(line),
        conveyor_(line_, window, doorbell_),
        crew_(std::move(name), conveyor_, doorbell_, std::move(hooks)) {}

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
    return conveyor_.try_admit();
  }

  void load(Run& run) noexcept {
    if (layout_.threads == 1) {
      conveyor_.carry_alone(run);
    } else {
      conveyor_.load(run);
    }
  }

  // As load(), but the feeder itself carries the run as far as it goes: nobody need wake up.
  void carry(Run& run) noexcept {
    if (layout_.threads == 1) {
      conveyor_.carry_alone(run);
    } else {
      conveyor_.carry(&run);
    }
  }

  [[nodiscard]] Run* try_collect() noexcept { return conveyor_.try_collect(); }
  [[nodiscard]] std::uint64_t under_way() const noexcept { return conveyor_.under_way(); }
  // Carries a run, or sleeps until there may be something to carry or to collect, or for `limit`.
  void help(std::optional<std::chrono::nanoseconds> limit = {}) {
    lend_a_hand(conveyor_, doorbell_, limit);
  }

  // Carries a run that waits for a thread; false when there is none.
  [[nodiscard]] bool try_help() noexcept {
    Run* const run = conveyor_.try_take();
    if (run != nullptr) conveyor_.carry(run);
    return run != nullptr;
  }

  [[nodiscard]] FusedLine<Line, Sync>& line() noexcept { return line_; }
  [[nodiscard]] const Crew<Conveyor<FusedLine<Line, Sync>, Sync>, Sync>& crew() const noexcept {
    return crew_;
  }
  // Nothing is carried any more once every thread has finished the work it is at.
  void dismiss() noexcept { crew_.dismiss(); }

 private:
  using Fused = FusedLine<Line, Sync>;

  [[nodiscard]] bool can_change_at_once() const noexcept {
    return under_way() == 0 ||
           (wanted_->firsts == layout_.firsts && (wanted_->threads == 1) == (layout_.threads == 1));
  }

  void settle() {
    Layout next = std::move(*wanted_);
    wanted_.reset();
    if (under_way() == 0) {
      if (!next.firsts.empty() && next.firsts != layout_.firsts) line_.arrange(next.firsts);
      // Runs that were carried alone passed no baton: the rings know nothing of them.
      conveyor_.rearrange();
    }
    layout_ = std::move(next);
    crew_.set_level(layout_.threads - 1);
  }

  Fused line_;
  Doorbell<Sync> doorbell_;
  Conveyor<Fused, Sync> conveyor_;
  Layout layout_;
  std::optional<Layout> wanted_;
  Crew<Conveyor<Fused, Sync>, Sync> crew_;  // last: its threads use all of the above
};

}  // namespace penstock::schedule
