#include "penstock/region/circle.hpp"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

#include "penstock/base/activity.hpp"
#include "penstock/base/check.hpp"
#include "penstock/region/branches.hpp"

namespace penstock::region {

using graph::FailedAtRow;

class Circle::Collected final : public graph::Output {
 public:
  Collected(Items& items, tuple::RowRange origin) noexcept : items_(&items), origin_(origin) {}

  void emit(tuple::Batch batch, int port) override {
    PENSTOCK_CHECK(port == 0, "in a circle an operator has one output port");
    if (batch.rows() == 0) return;
    items_->push_back({.tuple = {.batch = std::move(batch), .origin = origin_}});
  }
  void punctuate(int /*port*/) override { items_->push_back({.tuple = {}, .mark = true}); }
  [[nodiscard]] int ports() const override { return 1; }

 private:
  Items* items_;
  tuple::RowRange origin_;
};

Circle::Circle(Members members, Options options)
    : members_(std::move(members)), options_(std::move(options)) {
  PENSTOCK_CHECK(!members_.empty(), "a circle has an operator to go back to");
  const auto holds = [](const Channel::Member& member) { return member.body->in_lane(); };
  in_lane_ = std::ranges::any_of(members_, holds) || std::ranges::any_of(options_.out, holds) ||
             std::ranges::any_of(options_.back, holds);
}

void Circle::process(const tuple::Tuple& tuple, int /*port*/, graph::Output& output) {
  go_round({.tuple = tuple}, output);
}

void Circle::punctuate(int /*port*/, graph::Output& output) {
  go_round({.tuple = {}, .mark = true}, output);
}

void Circle::finish(graph::Output& output) {
  const std::span<const Channel::Member> members = members_;
  for (std::size_t at = 0; at < members.size(); ++at) {
    if (is_over(at)) continue;
    Items made = called(
        members[at], [](graph::Operator& body, graph::Output& to) { body.finish(to); }, nullptr);
    leave(through(members.subspan(at + 1), std::move(made)), output);
  }
}

// NOLINTNEXTLINE(misc-no-recursion): branches may be inside, and nest
void Circle::for_each_state(const VisitState& visit) {
  for (const auto& member : members_) {
    if (auto* const branches = dynamic_cast<Branches*>(member.body.get())) {
      branches->for_each_state(visit);
    } else if (KeyedState* const state = member.state()) {
      visit(member.name, 0, *state);
    }
  }
}

template <typename Call>
Circle::Items Circle::called(const Channel::Member& member, Call call,
                             graph::FirstFailure* failure) {
  Items made;
  Collected output(made, {});
  const base::Activity activity(member.name.c_str());
  const auto name = [&](const std::string& inner) { return inner.empty() ? member.name : inner; };
  try {
    call(*member.body, output);
    while (member.body->paused()) member.body->resume(output);
  } catch (const graph::Interrupted&) {
    throw;
  } catch (const FailedAtRow& failed) {
    // Rows that another member made are not those that the circle was given.
    if (failure == nullptr) {
      throw FailedAtRow(FailedAtRow::kUnknownRow, failed.cause(), name(failed.inner()));
    }
    failure->add({failed.row(), failed.cause(), name(failed.inner())});
  } catch (...) {
    throw FailedAtRow(FailedAtRow::kUnknownRow, std::current_exception(), member.name);
  }
  return made;
}

// With `failure` the rows are those that the circle was given, so a failure at one of them is kept
// there, and what the rows before it made is returned.
Circle::Items Circle::worked_on(const Channel::Member& member, const Item& item,
                                graph::FirstFailure* failure) {
  if (member.body->completed()) return {};
  return called(
      member,
      [&](graph::Operator& body, graph::Output& output) {
        if (item.mark) {
          body.punctuate(0, output);
        } else {
          body.process(item.tuple, 0, output);
        }
      },
      failure);
}

Circle::Items Circle::through(std::span<const Channel::Member> members, Items items) {
  for (const Channel::Member& member : members) {
    Items made;
    for (const Item& item : items)
      std::ranges::move(worked_on(member, item, nullptr), std::back_inserter(made));
    items = std::move(made);
  }
  return items;
}

bool Circle::is_over(std::size_t member) const {
  return std::any_of(members_.begin() + static_cast<std::ptrdiff_t>(member), members_.end(),
                     [](const Channel::Member& each) { return each.body->completed(); });
}

void Circle::go_round(const Item& item, graph::Output& output) {
  if (is_over(0)) return;
  graph::FirstFailure failure;
  Items made = worked_on(members_.front(), item, &failure);
  made = through(std::span<const Channel::Member>(members_).subspan(1), std::move(made));
  leave(made, output);
  failure.raise();
  go_back(std::move(made));
}

void Circle::leave(const Items& items, graph::Output& output) const {
  for (const Item& item : through(options_.out, items)) {
    if (item.mark) {
      output.punctuate(0);
    } else {
      output.emit(item.tuple.batch, 0);
    }
  }
}

void Circle::go_back(Items items) const {
  const Channel::Member& first = members_.front();
  if (first.body->completed()) return;
  std::erase_if(items, [](const Item& item) { return item.mark; });
  for (const Item& item : through(options_.back, std::move(items))) {
    try {
      first.body->control(item.tuple, options_.control_port);
    } catch (const graph::Interrupted&) {
      throw;
    } catch (...) {
      throw FailedAtRow(FailedAtRow::kUnknownRow, std::current_exception(), first.name);
    }
  }
}

}  // namespace penstock::region
