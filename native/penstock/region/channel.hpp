#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "penstock/graph/operator.hpp"
#include "penstock/graph/row_failure.hpp"
#include "penstock/region/keyed_state.hpp"
#include "penstock/tuple/batch.hpp"

namespace penstock::region {

// Rows inside a region, and for each the row of the region's tuple that it came from. These do not
// descend; there are none where nobody asks.
struct Fragment {
  tuple::Batch batch;
  std::vector<std::int32_t> rows;
};

// One replica of a region's operators: a chain that one thread at a time works through.
class Channel {
 public:
  // An operator that remembers something must be a KeyedState.
  struct Member {
    std::string name;
    std::unique_ptr<graph::Operator> body;

    // Null if it remembers nothing.
    [[nodiscard]] KeyedState* state() const noexcept {
      return dynamic_cast<KeyedState*>(body.get());
    }
  };

  explicit Channel(std::vector<Member> members) : members_(std::move(members)) {}

  // What the chain makes of these rows. The row at which it fails is added to `failure`, by its
  // number in the region's tuple, and then only what the rows before it made is returned. With
  // `traced` every row made is traced back to one given; otherwise all operators must be stateless.
  // Once one of the operators is complete, those before it work for nobody: none works any more.
  [[nodiscard]] std::vector<Fragment> process(const Fragment& given, bool traced,
                                              graph::FirstFailure& failure);

  // So many members, the first ones, need not work any more, because the last of them is complete.
  [[nodiscard]] std::size_t unneeded() const noexcept;
  // The row of the region's tuple, one that was processed last, with which that came to be.
  [[nodiscard]] std::int32_t completed_at() const noexcept { return completed_at_; }

  // What the member at that place gives at the end, after the others have worked on it. `rows` of a
  // fragment lead into `order`, which says where among other channels' rows each row belongs.
  struct Ending {
    std::vector<Fragment> made;
    std::vector<std::string> order;
    bool ordered = true;  // not if the member does not know
  };
  [[nodiscard]] Ending finish(std::size_t member, graph::FirstFailure& failure);

  // Whether all of its operators are.
  [[nodiscard]] bool row_by_row() const noexcept {
    return std::ranges::all_of(members_,
                               [](const Member& each) { return each.body->row_by_row(); });
  }

  [[nodiscard]] std::span<Member> members() noexcept { return members_; }
  [[nodiscard]] std::span<const Member> members() const noexcept { return members_; }

 private:
  [[nodiscard]] static std::vector<Fragment> pass_through(std::vector<Fragment> here,
                                                          std::span<const Member> members,
                                                          bool traced, graph::FirstFailure& failure,
                                                          std::int32_t* completed_at = nullptr);
  [[nodiscard]] std::vector<Fragment> pass_through(const Fragment& given, bool traced,
                                                   graph::FirstFailure& failure);
  [[nodiscard]] std::vector<Fragment> process_before_failure(const Fragment& given,
                                                             graph::FirstFailure found,
                                                             graph::FirstFailure& failure);

  std::vector<Member> members_;
  std::int32_t completed_at_ = 0;
};

}  // namespace penstock::region
