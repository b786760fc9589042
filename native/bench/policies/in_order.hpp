#pragma once

#include <cstdint>
#include <deque>

#include "bench/policies/sim_tuple.hpp"

namespace penstock::bench::policies {

// What became of tuples, given back in the order of their tickets.
class InOrder {
 public:
  void put(std::uint64_t ticket, const SimTuple& tuple, int made) {
    const auto index = static_cast<std::size_t>(ticket - first_);
    if (index >= places_.size()) places_.resize(index + 1);
    places_[index] = {.tuple = tuple, .made = made, .there = true};
  }

  // Calls `give(tuple, made)` for all whose turn has come.
  template <typename Give>
  void release(Give give) {
    while (!places_.empty() && places_.front().there) {
      const Place place = places_.front();
      places_.pop_front();
      ++first_;
      give(place.tuple, place.made);
    }
  }

  // So many tuples that will leave are kept.
  [[nodiscard]] std::uint64_t kept() const noexcept {
    std::uint64_t found = 0;
    for (const Place& place : places_) found += place.there ? static_cast<unsigned>(place.made) : 0;
    return found;
  }

 private:
  struct Place {
    SimTuple tuple;
    int made = 0;
    bool there = false;
  };

  std::uint64_t first_ = 0;  // the ticket of the front place
  std::deque<Place> places_;
};

}  // namespace penstock::bench::policies
