#pragma once

#include <optional>

#include "penstock/base/check.hpp"
#include "penstock/graph/divided_operator.hpp"

namespace penstock::region {

// How a region goes from one number of channels to another while rows flow through it (G11, G12),
// as a state machine without threads. The feeder owns it: it asks which pulse is due before it
// admits rows, and says when one has come through.
//
// Channels stand behind each other on the line, and every run visits them in turn. A new channel
// stands behind all that give to it, so growing takes one pulse: what the old channels give is
// there when the pulse comes to the new one, and rows may follow at once. A channel that goes
// stands behind those that take, so shrinking takes two: one gives, and rows are held back until it
// is through (the vertical barrier); then the other takes, and rows follow it.
class Migration {
 public:
  struct Pulse {
    graph::Resizing what = graph::Resizing::kWhole;
    int from = 0;
    int to = 0;
  };

  explicit Migration(int channels) noexcept : width_(channels), wanted_(channels) {}

  // The wish counts from the next pulse on; of several the last.
  void ask_for(int channels) noexcept { wanted_ = channels; }

  // There is something to send now.
  [[nodiscard]] bool is_due() const noexcept {
    return state_ == State::kGiven || (state_ == State::kSteady && wanted_ != width_);
  }
  // What to send now, if anything; then it is under way.
  [[nodiscard]] std::optional<Pulse> next_pulse() noexcept;
  // The pulse that was sent came through, behind all that was sent before it.
  void came_through();

  // False from the pulse that gives to the one that takes: rows between them would find nothing.
  [[nodiscard]] bool admits_rows() const noexcept {
    return state_ != State::kGiving && state_ != State::kGiven;
  }
  // Channels for the rows that are admitted now.
  [[nodiscard]] int width() const noexcept { return width_; }
  // Nothing is under way and nothing is due.
  [[nodiscard]] bool settled() const noexcept {
    return state_ == State::kSteady && width_ == wanted_;
  }

 private:
  enum class State {
    kSteady,
    kGrowing,  // the one pulse is under way
    kGiving,   // the first of two is under way
    kGiven,    // it is through, and the second is due
    kTaking,   // the second is under way
  };

  State state_ = State::kSteady;
  int width_;
  int wanted_;
  int from_ = 0;
};

}  // namespace penstock::region
