#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "bench/ordered/queries/plain.hpp"

namespace penstock::bench::queries {

namespace {

using Pair = std::pair<std::int64_t, std::int64_t>;

class HourlyPairs {
 public:
  void sell(const Row& sale) { open_[sale.who].insert(sale.item); }

  void close_tickets() {
    for (const auto& [ticket, items] : open_) {
      for (auto one = items.begin(); one != items.end(); ++one) {
        for (auto two = std::next(one); two != items.end(); ++two) ++counts_[{*one, *two}];
      }
    }
    open_.clear();
  }

  void close_hour(std::int64_t at, std::int64_t hour, std::vector<Output>& outputs) {
    std::vector<std::pair<std::int64_t, Pair>> ranked;
    ranked.reserve(counts_.size());
    for (const auto& [pair, count] : counts_) ranked.emplace_back(-count, pair);
    std::ranges::sort(ranked);
    if (ranked.size() > 100) ranked.resize(100);
    for (const auto& [count, pair] : ranked) {
      outputs.push_back(
          {.at = at, .who = hour, .item = pair.first, .other = pair.second, .amount = -count});
    }
    counts_.clear();
  }

 private:
  std::map<std::int64_t, std::set<std::int64_t>> open_;
  std::map<Pair, std::int64_t> counts_;
};

}  // namespace

std::vector<Output> plain_q1(const Input& input) {
  std::vector<Output> outputs;
  HourlyPairs pairs;
  std::int64_t time = input.rows.empty() ? 0 : input.rows.front().time;
  for (const Row& sale : input.rows) {
    if (sale.time > time) pairs.close_tickets();
    if (sale.time / 3'600 > time / 3'600) pairs.close_hour(sale.at, time / 3'600, outputs);
    time = sale.time;
    const auto category = input.category_of(sale.item);
    if (category < 1 || category > 3 || sale.other < 10 || sale.other > 50) continue;
    pairs.sell(sale);
  }
  pairs.close_tickets();
  pairs.close_hour(input.end(), time / 3'600, outputs);
  return outputs;
}

std::vector<Output> plain_q15(const Input& input) {
  std::map<std::int64_t, std::map<std::int64_t, std::int64_t>> sums;
  for (const Row& sale : input.rows) {
    const auto day = sale.time / 86'400;
    if (sale.other != 10 || day < 37'005 || day > 37'035) continue;
    sums[input.category_of(sale.item)][day] += sale.amount;
  }
  std::vector<Output> outputs;
  for (const auto& [category, days] : sums) {
    // Twice the sums over all pairs of days, which come to the same as the usual formulas.
    std::int64_t above = 0;
    std::int64_t below = 0;
    for (const auto& [one, sold] : days) {
      for (const auto& [two, sold_then] : days) {
        above += (one - two) * (sold - sold_then);
        below += (one - two) * (one - two);
      }
    }
    if (above > 0) continue;
    outputs.push_back({.at = input.end(), .who = category, .item = above / 2, .other = below / 2});
  }
  return outputs;
}

}  // namespace penstock::bench::queries
