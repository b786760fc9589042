// Lets the n-th allocation fail, for every n, while state is given away.
#include <gtest/gtest.h>
#include <new>
#include <string>
#include <vector>

#include "ops/channels.hpp"
#include "support/replaced_new.hpp"

namespace penstock {
namespace {

using ops::Function;
using ops::RunningAggregate;
using support::Type;
using support::Values;

thread_local long left = -1;  // allocations until one fails; negative for never

void fail_the_last() {
  if (left >= 0 && left-- == 0) throw std::bad_alloc();
}

void expect_nothing_forgotten(const Type& key, const Values& keys, int self) {
  RunningAggregate aggregate(
      support::make_schema({key}),
      {.keys = {0}, .aggregates = {{Function::kCount, ops::Aggregate::kRows}}, .parts = 2});
  support::run(aggregate, support::make_batch({key}, {keys}));
  const auto types = support::package_types(aggregate);
  const auto before = support::sorted_rows(types, aggregate.snapshot());
  const region::HashRing ring(2);
  support::before_allocation = fail_the_last;
  for (long nth = 0;; ++nth) {
    std::vector<region::Package> packages;
    left = nth;
    bool failed = false;
    try {
      packages = aggregate.donate(ring, self);
    } catch (const std::bad_alloc&) {
      failed = true;
    }
    // Something may have been caught inside.
    const bool done = left >= 0;
    left = -1;
    auto after = support::sorted_rows(types, aggregate.snapshot());
    EXPECT_EQ(after.size(), aggregate.keys());
    if (failed) {
      ASSERT_EQ(after, before) << "allocation " << nth << " failed";
      continue;
    }
    for (const auto& package : packages) {
      const auto given = support::sorted_rows(types, package.rows);
      EXPECT_FALSE(given.empty());
      after.insert(after.end(), given.begin(), given.end());
    }
    std::ranges::sort(after);
    EXPECT_EQ(after, before);
    EXPECT_GT(nth, 10) << "something did fail";
    EXPECT_FALSE(packages.empty());
    if (done) return;
    for (const auto& package : packages) aggregate.collect(package.rows);
  }
}

TEST(DonateFailure, a_donation_that_fails_at_any_allocation_forgets_nothing) {
  Values numbers;
  Values texts;
  for (int i = 0; i < 300; ++i) {
    numbers.push_back(support::number(std::int64_t{i} * 7));
    texts.push_back(support::text("a key of some length: " + std::to_string(i * i)));
  }
  numbers.push_back(support::null_value());
  for (const int self : {0, 2}) {
    expect_nothing_forgotten({.format = "l", .name = "key"}, numbers, self);
    expect_nothing_forgotten({.format = "u", .name = "key"}, texts, self);
  }
}

}  // namespace
}  // namespace penstock
