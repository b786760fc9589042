#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "penstock/graph/operator.hpp"
#include "penstock/region/channel.hpp"
#include "penstock/tuple/gather.hpp"
#include "penstock/tuple/schema.hpp"

namespace penstock::region {

// Puts together what the channels made of one tuple: by the row it came from and, of one row, in
// the order in which it was emitted. A row goes to one channel, so no two channels have the same.
class Merger {
 public:
  explicit Merger(const tuple::Schema& made) : gatherer_(made) {}

  // Emits what the first `rows` rows of the tuple made. Takes the fragments.
  void merge(std::span<std::vector<Fragment>> by_channel, std::int64_t rows,
             graph::Output& output) const;

  // The same, one channel after the other: the order of the rows of each key, and of no more.
  static void pass_on(std::span<std::vector<Fragment>> by_channel, std::int64_t rows,
                      graph::Output& output);

  // Emits what the channels gave at the end, in the order that they say.
  void merge_endings(std::span<const Channel::Ending> by_channel, graph::Output& output) const;

 private:
  tuple::Gatherer gatherer_;
};

}  // namespace penstock::region
