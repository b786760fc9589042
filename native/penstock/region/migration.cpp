#include "penstock/region/migration.hpp"

namespace penstock::region {

std::optional<Migration::Pulse> Migration::next_pulse() noexcept {
  if (state_ == State::kGiven) {
    state_ = State::kTaking;
    return Pulse{.what = graph::Resizing::kTake, .from = from_, .to = width_};
  }
  if (!is_due()) return std::nullopt;
  from_ = width_;
  width_ = wanted_;
  if (width_ > from_) {
    state_ = State::kGrowing;
    return Pulse{.what = graph::Resizing::kWhole, .from = from_, .to = width_};
  }
  state_ = State::kGiving;
  return Pulse{.what = graph::Resizing::kGive, .from = from_, .to = width_};
}

void Migration::came_through() {
  PENSTOCK_CHECK(state_ != State::kSteady && state_ != State::kGiven,
                 "a pulse comes through only after it was sent");
  state_ = state_ == State::kGiving ? State::kGiven : State::kSteady;
}

}  // namespace penstock::region
