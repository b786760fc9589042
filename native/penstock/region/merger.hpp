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
// the order in which it was emitted. Where a row goes to several channels, the first one's come
// first.
class Merger {
 public:
  // kRows also tells of each row from which one it came, for whom that is of use.
  enum class Tells { kNothing, kRows };

  explicit Merger(const tuple::Schema& made, Tells tells = Tells::kNothing)
      : gatherer_(made), tells_(tells) {}

  // Emits what the first `rows` rows of the tuple made. Takes the fragments.
  void merge(std::span<std::vector<Fragment>> by_channel, std::int64_t rows,
             graph::Output& output) const;

  // The same, one channel after the other: the order of the rows of each key, and of no more.
  static void pass_on(std::span<std::vector<Fragment>> by_channel, std::int64_t rows,
                      graph::Output& output);

  // Emits what the channels gave at the end, in the order that they say.
  void merge_endings(std::span<const Channel::Ending> by_channel, graph::Output& output) const;

 private:
  void pass_on_all(std::span<std::vector<Fragment>> by_channel, std::int64_t rows,
                   graph::Output& output) const;

  tuple::Gatherer gatherer_;
  Tells tells_;
};

}  // namespace penstock::region
