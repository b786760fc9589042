#include <algorithm>
#include <map>
#include <ranges>
#include <set>
#include <utility>

#include "bench/ordered/queries/plain.hpp"

namespace penstock::bench::queries {

namespace {

struct Session {
  std::int64_t closed_at;
  std::vector<const Row*> clicks;
};

// All sessions of the clicks, in the order in which they are closed.
[[nodiscard]] std::vector<Session> sessions_of(const std::vector<const Row*>& clicks,
                                               std::int64_t end) {
  std::vector<Session> closed;
  std::map<std::int64_t, std::vector<const Row*>> open;
  for (const Row* click : clicks) {
    auto& session = open[click->who];
    if (!session.empty() && click->time - session.back()->time > 3'600) {
      closed.push_back({.closed_at = click->at, .clicks = std::exchange(session, {})});
    }
    session.push_back(click);
  }
  std::map<std::int64_t, std::vector<const Row*>> left;  // by where they began
  for (const auto& [user, session] : open) left[session.front()->at] = session;
  for (const auto& [begun, session] : left) {
    closed.push_back({.closed_at = end, .clicks = session});
  }
  return closed;
}

}  // namespace

std::vector<Output> plain_q2(const Input& input) {
  std::vector<const Row*> clicks;
  for (const Row& click : input.rows) {
    if (click.who != kNull && click.item != kNull) clicks.push_back(&click);
  }
  using Pair = std::pair<std::int64_t, std::int64_t>;
  std::map<Pair, std::int64_t> counts;
  std::vector<Output> outputs;
  for (const Session& session : sessions_of(clicks, input.end())) {
    std::set<std::int64_t> items;
    for (const Row* click : session.clicks) items.insert(click->item);
    for (auto one = items.begin(); one != items.end(); ++one) {
      for (auto two = std::next(one); two != items.end(); ++two) {
        outputs.push_back({.at = session.closed_at,
                           .item = *one,
                           .other = *two,
                           .amount = ++counts[{*one, *two}]});
      }
    }
  }
  std::vector<std::pair<std::int64_t, Pair>> ranked;
  ranked.reserve(counts.size());
  for (const auto& [pair, count] : counts) ranked.emplace_back(-count, pair);
  std::ranges::sort(ranked);
  for (std::size_t i = 0; i < std::min<std::size_t>(ranked.size(), 30); ++i) {
    const auto& [count, pair] = ranked[i];
    outputs.push_back({.at = input.end(),
                       .who = static_cast<std::int64_t>(i + 1),
                       .item = pair.first,
                       .other = pair.second,
                       .amount = -count});
  }
  return outputs;
}

std::vector<Output> plain_q3(const Input& input) {
  std::map<std::int64_t, std::vector<const Row*>> views;
  std::map<std::int64_t, std::int64_t> counts;
  std::vector<Output> outputs;
  for (const Row& click : input.rows) {
    if (click.who == kNull || click.item == kNull) continue;
    auto& seen = views[click.who];
    if (click.other == kNull) {
      seen.push_back(&click);
      continue;
    }
    const auto category = input.category_of(click.item);
    if (category != 2 && category != 3) continue;
    for (std::size_t i = seen.size() < 5 ? 0 : seen.size() - 5; i < seen.size(); ++i) {
      if (click.time - seen[i]->time > 864'000) continue;
      outputs.push_back({.at = click.at,
                         .who = click.item,
                         .item = seen[i]->item,
                         .amount = ++counts[seen[i]->item]});
    }
  }
  return outputs;
}

std::vector<Output> plain_q4(const Input& input) {
  std::vector<const Row*> clicks;
  for (const Row& click : input.rows) {
    if (click.who != kNull && click.other == kNull) clicks.push_back(&click);
  }
  std::int64_t sum = 0;
  std::int64_t sessions = 0;
  std::vector<Output> outputs;
  for (const Session& session : sessions_of(clicks, input.end())) {
    const auto last_first = session.clicks | std::views::reverse;
    const auto about_cart = std::ranges::find_if(last_first, [&input](const Row* click) {
      return input.page_of(click->amount) != Page::kOther;
    });
    if (about_cart == last_first.end()) continue;
    if (input.page_of((*about_cart)->amount) == Page::kOrder) continue;
    const auto pages = static_cast<std::int64_t>(session.clicks.size());
    sum += pages;
    outputs.push_back({.at = session.closed_at,
                       .who = session.clicks.front()->who,
                       .item = pages,
                       .other = sum,
                       .amount = ++sessions});
  }
  return outputs;
}

std::vector<Output> plain_fan(const Input& input) {
  std::vector<Output> outputs;
  std::map<std::int64_t, std::int64_t> counts;
  for (std::int64_t made = 0; made < 50 * input.end(); ++made) {
    const auto item = made * 389 % 1'000;
    outputs.push_back({.at = made / 50, .item = item, .amount = ++counts[item]});
  }
  return outputs;
}

}  // namespace penstock::bench::queries
