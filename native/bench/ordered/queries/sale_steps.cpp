#include <algorithm>
#include <map>
#include <memory>
#include <tuple>

#include "bench/ordered/queries/common_steps.hpp"
#include "bench/ordered/queries/steps.hpp"
#include "bench/ordered/queries/top.hpp"

namespace penstock::bench::queries {

namespace {

// Pairs each item of a ticket with those that were there before it. A ticket is over when a later
// time comes; that the partition has heard of it is enough to forget it.
[[nodiscard]] Step pairs_on_ticket(std::size_t partitions) {
  struct State {
    std::int64_t time = 0;
    std::unordered_map<std::int64_t, std::vector<std::int64_t>> tickets;
  };
  const Parts<State> parts(partitions);
  const auto work = [parts](std::size_t partition, Row& row, Unit& out) {
    State& state = parts[partition];
    if (row.time > state.time) state.tickets.clear();
    state.time = row.time;
    auto& items = state.tickets[row.who];
    if (std::ranges::find(items, row.item) != items.end()) return;
    for (const auto item : items) {
      const auto [less, more] = std::minmax(item, row.item);
      out.add({.at = row.at, .time = row.time, .item = less, .other = more});
    }
    items.push_back(row.item);
  };
  return {.kind = Kind::kKeyed, .work = work, .key = [](const Row& row) { return row.who; }};
}

[[nodiscard]] Step count_within_hour(std::size_t partitions) {
  struct Count {
    std::int64_t hour = 0;
    std::int64_t pairs = 0;
  };
  const Parts<std::unordered_map<std::int64_t, Count>> counts(partitions);
  const auto work = [counts](std::size_t partition, Row& row, Unit& out) {
    Count& count = counts[partition][pair_key(row)];
    const auto hour = row.time / kHour;
    if (count.hour != hour) count = {.hour = hour};
    row.amount = ++count.pairs;
    out.add(std::move(row));
  };
  return {.kind = Kind::kKeyed, .work = work, .key = pair_key};
}

// The source marks the beginning of every hour, so an hour ends in time even when none of the rows
// that passed the filter says so.
[[nodiscard]] Step best_of_hour(std::int64_t end) {
  constexpr std::size_t kMost = 100;
  struct State {
    std::int64_t hour = 0;
    Top top{kMost};

    void close(std::int64_t at, Unit& out) {
      for (Row& row : top.take()) {
        row.at = at;
        row.who = hour;
        out.add(std::move(row));
      }
    }
  };
  const auto state = std::make_shared<State>();
  return {.kind = Kind::kStateful,
          .work =
              [state](std::size_t, Row& row, Unit& out) {
                const auto hour = row.time / kHour;
                if (hour != state->hour) state->close(row.at, out);
                state->hour = hour;
                if (!row.mark) state->top.offer(row);
              },
          .finish = [state, end](Unit& out) { state->close(end, out); }};
}

// A straight line through the daily sales of each category, by exact integers.
[[nodiscard]] Step falling_categories(std::size_t partitions, std::int64_t end) {
  using Daily = std::unordered_map<std::int64_t, std::int64_t>;
  const Parts<std::unordered_map<std::int64_t, Daily>> parts(partitions);
  const auto work = [parts](std::size_t partition, Row& row, Unit& /*out*/) {
    parts[partition][row.who][row.time / kDay] += row.amount;
  };
  const auto finish = [parts, end](Unit& out) {
    std::map<std::int64_t, const Daily*> sorted;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      for (const auto& [category, daily] : parts[i]) sorted[category] = &daily;
    }
    for (const auto& [category, daily] : sorted) {
      const auto n = static_cast<std::int64_t>(daily->size());
      std::int64_t x = 0;
      std::int64_t y = 0;
      std::int64_t xx = 0;
      std::int64_t xy = 0;
      for (const auto& [day, cents] : *daily) {
        x += day;
        y += cents;
        xx += day * day;
        xy += day * cents;
      }
      if (n * xy - x * y > 0) continue;
      out.add({.at = end, .who = category, .item = n * xy - x * y, .other = n * xx - x * x});
    }
  };
  return {.kind = Kind::kKeyed,
          .work = work,
          .key = [](const Row& row) { return row.who; },
          .finish = finish};
}

}  // namespace

std::vector<Step> q1_steps(const Input& input, std::size_t partitions) {
  const auto wanted = [&input](const Row& row) {
    const auto category = input.category_of(row.item);
    return category >= 1 && category <= 3 && row.other >= 10 && row.other <= 50;
  };
  return {filter(wanted), pairs_on_ticket(partitions), count_within_hour(partitions),
          best_of_hour(input.end())};
}

std::vector<Step> q15_steps(const Input& input, std::size_t partitions) {
  const auto wanted = [](const Row& row) {
    constexpr std::int64_t kFrom = 37'005;
    constexpr std::int64_t kTo = 37'035;
    const auto day = row.time / kDay;
    return row.other == 10 && day >= kFrom && day <= kTo;
  };
  const auto categorise = [&input](std::size_t, Row& row, Unit& out) {
    row.who = input.category_of(row.item);
    out.add(std::move(row));
  };
  return {filter(wanted),
          {.kind = Kind::kStateless, .work = categorise},
          falling_categories(partitions, input.end())};
}

}  // namespace penstock::bench::queries
