#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "penstock/graph/operator.hpp"
#include "penstock/graph/row_failure.hpp"
#include "penstock/region/channel.hpp"
#include "penstock/region/keyed_state.hpp"
#include "penstock/tuple/tuple.hpp"

namespace penstock::region {

// Operators around which rows go: what the last one makes leaves, and also goes back to a control
// port of the first one (C9). Each tuple and each mark is through all of them before anything goes
// back, and before the next one comes in; so the first operator finds what all rows before made,
// whatever the threads, and nobody waits for himself (A6). What goes back can make no rows, so
// there is no tuple that goes round for ever; marks do not go back.
class Circle final : public graph::Operator {
 public:
  using Members = std::vector<Channel::Member>;

  struct Options {
    // What leaves of the rows that the last member made, and what goes back: chains of operators
    // that remember nothing. Without any, all rows do both.
    Members out;
    Members back;
    int control_port = 0;  // of the first member
  };

  Circle(Members members, Options options);

  void process(const tuple::Tuple& tuple, int port, graph::Output& output) override;
  void punctuate(int port, graph::Output& output) override;
  // One member after the other: what the first gives at the end is worked on by the next before
  // that one comes to its own end. By then nobody listens to what would go back.
  void finish(graph::Output& output) override;
  // The others may still have something to give when the input has ended.
  [[nodiscard]] bool completed() const noexcept override {
    return members_.back().body->completed();
  }
  [[nodiscard]] bool in_lane() const noexcept override { return in_lane_; }

  void for_each_state(const VisitState& visit);

 private:
  // Rows, or a mark.
  struct Item {
    tuple::Tuple tuple;
    bool mark = false;
  };
  using Items = std::vector<Item>;
  class Collected;

  // Calls a member, and as often as it pauses once more: it shares its place with the others.
  template <typename Call>
  static Items called(const Channel::Member& member, Call call, graph::FirstFailure* failure);
  [[nodiscard]] static Items worked_on(const Channel::Member& member, const Item& item,
                                       graph::FirstFailure* failure);
  [[nodiscard]] static Items through(std::span<const Channel::Member> members, Items items);
  // Whether nobody uses what this member would make.
  [[nodiscard]] bool is_over(std::size_t member) const;
  void go_round(const Item& item, graph::Output& output);
  void leave(const Items& items, graph::Output& output) const;
  void go_back(Items items) const;

  Members members_;
  Options options_;
  bool in_lane_ = false;
};

}  // namespace penstock::region
