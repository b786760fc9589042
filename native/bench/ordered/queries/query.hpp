#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "bench/ordered/queries/input.hpp"
#include "bench/ordered/queries/step.hpp"

namespace penstock::bench::queries {

// A query of TPCx-BB as a pipeline (P20), or the pipeline of P19, and the same in plain code for
// one thread.
struct Query {
  std::string_view name;
  Input (*make_input)(std::size_t rows);
  // Keyed operators get so many partitions. The input must outlive the steps.
  std::vector<Step> (*make_steps)(const Input& input, std::size_t partitions);
  std::vector<Output> (*plain)(const Input& input);
};

// q1: pairs of items on one ticket, the hundred most frequent of every hour;
//     stateless, keyed by ticket, keyed by pair, stateful.
// q2: pairs of items in one session, running counts, at the end the thirty most frequent;
//     stateless, keyed by user, stateless, keyed by pair, stateful.
// q3: the last five items viewed within ten days before a purchase in category 2 or 3, running
//     counts; stateless, keyed by user, keyed by item.
// q4: sessions left with something in the cart, running sums of their pages;
//     stateless, keyed by user, stateless, stateful.
// q15: categories whose daily sales in store 10 do not rise over 31 days;
//     stateless, stateless, keyed by category.
// fan: fifty rows of each click, numbered by what they are about (P19);
//     stateless, keyed by item.
[[nodiscard]] std::span<const Query> queries();

}  // namespace penstock::bench::queries
