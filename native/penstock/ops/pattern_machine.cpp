#include "penstock/ops/pattern_machine.hpp"

#include <bitset>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace penstock::ops {

namespace {

// The bits from `first` up to, and without, `end`.
std::uint64_t bits(int first, int end) noexcept {
  std::bitset<PatternMachine::kMostPositions> made;
  for (int bit = first; bit < end; ++bit) made.set(static_cast<std::size_t>(bit));
  return made.to_ullong();
}

}  // namespace

PatternMachine::PatternMachine(const std::vector<PatternStep>& steps) {
  int first = 0;
  for (std::size_t at = 0; at < steps.size(); ++at) {
    const auto& [predicate, least, most, strict] = steps[at];
    const bool unlimited = most == PatternStep::kAny;
    const int end = first + (unlimited ? least : most);
    if (least < 1 || end < first + least || end > kMostPositions) {
      throw std::invalid_argument("a pattern of " + std::to_string(kMostPositions) +
                                  " rows at most is needed, each step with at least one");
    }
    const bool is_last = at + 1 == steps.size();
    const bool strictly = !is_last && steps[at + 1].strict;
    const std::uint64_t ends = bits(first + least - 1, end);
    steps_.push_back({.predicate = bits(predicate, predicate + 1),
                      .all = bits(first, end),
                      .ends = ends,
                      .after = is_last || end == kMostPositions ? 0 : bits(end, end + 1),
                      .strictly_followed = strictly});
    inner_ |= bits(first, end - 1);
    if (unlimited) repeated_ |= bits(end - 1, end);
    if (is_last) accepted_ = ends;
    if (!is_last && !strictly) skipping_ |= ends;
    first = end;
  }
  skipping_ |= inner_ | repeated_;
}

std::uint64_t PatternMachine::positions(std::uint64_t predicates) const noexcept {
  std::uint64_t found = 0;
  for (const Step& step : steps_) {
    if ((predicates & step.predicate) != 0) found |= step.all;
  }
  return found;
}

PatternMachine::State PatternMachine::begin(std::uint64_t positions) const noexcept {
  return with(positions & std::uint64_t{1}, 0);
}

PatternMachine::State PatternMachine::step(State state, std::uint64_t positions) const noexcept {
  const std::uint64_t any = state.now | state.before;
  std::uint64_t next = ((any & inner_) << 1U) | (any & repeated_);
  for (const Step& step : steps_) {
    if (((step.strictly_followed ? state.now : any) & step.ends) != 0) next |= step.after;
  }
  return with(next & positions, state.before);
}

}  // namespace penstock::ops
