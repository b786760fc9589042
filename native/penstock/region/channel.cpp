#include "penstock/region/channel.hpp"

#include <exception>
#include <numeric>
#include <utility>

#include "penstock/base/activity.hpp"
#include "penstock/base/check.hpp"

namespace penstock::region {

namespace {

using graph::FailedAtRow;

// What one operator makes of one fragment.
class Collected final : public graph::Output {
 public:
  Collected(const Fragment& given, bool traced, std::vector<Fragment>& made) noexcept
      : given_(&given), traced_(traced), made_(&made) {}

  void emit(tuple::Batch batch, int /*port*/) override {
    if (batch.rows() == 0) return;
    Fragment fragment{.batch = std::move(batch), .rows = given_->rows};
    if (traced_) {
      // One that fails at a row may have made one row of each before it.
      complete_ = fragment.batch.rows() == given_->batch.rows();
      PENSTOCK_CHECK(fragment.batch.rows() <= given_->batch.rows(),
                     "what came of more than one row has to tell which");
      fragment.rows.resize(static_cast<std::size_t>(fragment.batch.rows()));
    }
    made_->push_back(std::move(fragment));
  }
  void emit_rows(tuple::Batch batch, std::span<const std::int32_t> rows, int /*port*/) override {
    if (batch.rows() == 0) return;
    PENSTOCK_CHECK(batch.rows() == static_cast<std::int64_t>(rows.size()),
                   "every row made came from some row");
    Fragment fragment{.batch = std::move(batch), .rows = {}};
    if (traced_) {
      fragment.rows.reserve(rows.size());
      for (const auto row : rows) {
        fragment.rows.push_back(given_->rows[static_cast<std::size_t>(row)]);
      }
    }
    made_->push_back(std::move(fragment));
  }
  void punctuate(int /*port*/) override {}
  [[nodiscard]] int ports() const override { return 1; }
  // Whether it is known of every row made which one it came from.
  [[nodiscard]] bool complete() const noexcept { return complete_; }

 private:
  const Fragment* given_;
  bool traced_;
  bool complete_ = true;
  std::vector<Fragment>* made_;
};

// What one operator gives at the end.
class Ended final : public graph::Output {
 public:
  explicit Ended(Channel::Ending& ending) noexcept : ending_(&ending) {}

  void emit(tuple::Batch batch, int port) override {
    if (batch.rows() == 0) return;
    ending_->ordered = false;
    const std::vector<std::string> unknown(static_cast<std::size_t>(batch.rows()));
    emit_ordered(std::move(batch), unknown, port);
  }
  void emit_ordered(tuple::Batch batch, std::span<const std::string> order, int /*port*/) override {
    if (batch.rows() == 0) return;
    Fragment fragment{.batch = std::move(batch), .rows = {}};
    fragment.rows.resize(order.size());
    std::iota(fragment.rows.begin(), fragment.rows.end(), std::ssize(ending_->order));
    ending_->order.insert(ending_->order.end(), order.begin(), order.end());
    ending_->made.push_back(std::move(fragment));
  }
  void punctuate(int /*port*/) override {}
  [[nodiscard]] int ports() const override { return 1; }

 private:
  Channel::Ending* ending_;
};

void run(const Channel::Member& member, const Fragment& given, bool traced,
         std::vector<Fragment>& made) {
  if (member.body->completed()) return;
  const base::Activity activity(member.name.c_str());
  Collected output(given, traced, made);
  member.body->process({.batch = given.batch, .origin = {}}, 0, output);
  // A channel is given back as a whole only.
  while (member.body->paused()) member.body->resume(output);
  PENSTOCK_CHECK(output.complete(),
                 "inside a region by key an operator makes one row of each, or tells which");
}

Fragment first_rows(const Fragment& given, std::int64_t count) {
  Fragment first{.batch = given.batch.slice(0, count), .rows = given.rows};
  if (!first.rows.empty()) first.rows.resize(static_cast<std::size_t>(count));
  return first;
}

bool works(const Channel::Member& member, const Fragment& given, bool traced) {
  std::vector<Fragment> ignored;
  try {
    run(member, given, traced, ignored);
  } catch (const graph::Interrupted&) {
    throw;
  } catch (...) {
    return false;
  }
  return true;
}

// The row at which an operator without state failed: the first one with which it does.
std::int64_t failing_row(const Channel::Member& member, const Fragment& given) {
  std::int64_t good = 0;
  std::int64_t bad = given.batch.rows();
  while (bad - good > 1) {
    const std::int64_t middle = good + (bad - good) / 2;
    (works(member, first_rows(given, middle), true) ? good : bad) = middle;
  }
  return good;
}

// Adds what the rows before the failure make to `made`, and the row to `failure`.
void trace_failure(const Channel::Member& member, const Fragment& given,
                   const std::exception_ptr& cause, std::vector<Fragment>& made,
                   graph::FirstFailure& failure) {
  const std::int64_t row = failing_row(member, given);
  if (row > 0) run(member, first_rows(given, row), true, made);
  failure.add({given.rows[static_cast<std::size_t>(row)], cause, member.name});
}

// False if it failed.
bool step(const Channel::Member& member, const Fragment& given, bool traced,
          std::vector<Fragment>& made, graph::FirstFailure& failure) {
  const std::size_t before = made.size();
  try {
    run(member, given, traced, made);
    return true;
  } catch (const graph::Interrupted&) {
    throw;
  } catch (const FailedAtRow& failed) {
    const auto row = static_cast<std::size_t>(failed.row());
    failure.add({traced ? given.rows[row] : FailedAtRow::kUnknownRow, failed.cause(), member.name});
  } catch (...) {
    made.resize(before);
    if (traced && member.state() == nullptr) {
      trace_failure(member, given, std::current_exception(), made, failure);
    } else {
      failure.add({FailedAtRow::kUnknownRow, std::current_exception(), member.name});
    }
  }
  return false;
}

}  // namespace

std::vector<Fragment> Channel::process(const Fragment& given, bool traced,
                                       graph::FirstFailure& failure) {
  if (unneeded() != 0) {
    if (!given.rows.empty()) completed_at_ = given.rows.front();
    return {};
  }
  graph::FirstFailure first;
  auto made = pass_through(given, traced, first);
  if (first && !traced) return process_before_failure(given, first, failure);
  if (first) failure.add(first.get());
  return made;
}

std::size_t Channel::unneeded() const noexcept {
  std::size_t count = members_.size();
  while (count != 0 && !members_[count - 1].body->completed()) --count;
  return count;
}

Channel::Ending Channel::finish(std::size_t member, graph::FirstFailure& failure) {
  Ending ending;
  Ended output(ending);
  const base::Activity activity(members_[member].name.c_str());
  try {
    auto& body = *members_[member].body;
    if (!body.completed()) body.finish(output);
    while (body.paused()) body.resume(output);
  } catch (const graph::Interrupted&) {
    throw;
  } catch (...) {
    failure.add({FailedAtRow::kUnknownRow, std::current_exception(), members_[member].name});
    return {};
  }
  ending.made = pass_through(std::move(ending.made), members().subspan(member + 1), true, failure);
  return ending;
}

std::vector<Fragment> Channel::pass_through(const Fragment& given, bool traced,
                                            graph::FirstFailure& failure) {
  std::vector<Fragment> here;
  if (given.batch.rows() != 0) here.push_back(given);
  return pass_through(std::move(here), members_, traced, failure, &completed_at_);
}

std::vector<Fragment> Channel::pass_through(std::vector<Fragment> here,
                                            std::span<const Member> members, bool traced,
                                            graph::FirstFailure& failure,
                                            std::int32_t* completed_at) {
  for (const Member& member : members) {
    std::vector<Fragment> made;
    for (const Fragment& fragment : here) {
      if (member.body->completed()) break;
      // What comes behind a failure would not have been worked on by one thread.
      if (!step(member, fragment, traced, made, failure)) break;
      if (traced && completed_at != nullptr && member.body->completed()) {
        *completed_at = fragment.rows[static_cast<std::size_t>(member.body->completed_at())];
      }
    }
    here = std::move(made);
    if (failure && !traced) return {};
  }
  return here;
}

// Nobody told which row made what, but nothing is remembered either: the first row with which the
// chain fails is found by trying.
std::vector<Fragment> Channel::process_before_failure(const Fragment& given,
                                                      graph::FirstFailure found,
                                                      graph::FirstFailure& failure) {
  std::vector<Fragment> made;
  std::int64_t good = 0;
  std::int64_t bad = given.batch.rows();
  while (bad - good > 1) {
    const std::int64_t middle = good + (bad - good) / 2;
    graph::FirstFailure tried;
    auto of_these = pass_through(first_rows(given, middle), false, tried);
    if (tried) {
      found = tried;
      bad = middle;
    } else {
      made = std::move(of_these);
      good = middle;
    }
  }
  failure.add({good, found.cause(), found.get().inner()});
  return made;
}

}  // namespace penstock::region
