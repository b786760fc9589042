#include <algorithm>
#include <deque>
#include <memory>

#include "bench/ordered/queries/common_steps.hpp"
#include "bench/ordered/queries/steps.hpp"
#include "bench/ordered/queries/top.hpp"

namespace penstock::bench::queries {

namespace {

[[nodiscard]] bool has_user_and_item(const Row& row) noexcept {
  return row.who != kNull && row.item != kNull;
}

// Of a session, every pair of different items.
void make_pairs(std::size_t /*partition*/, Row& session, Unit& out) {
  auto& items = session.list;
  std::ranges::sort(items);
  items.erase(std::ranges::unique(items).begin(), items.end());
  for (std::size_t i = 0; i < items.size(); ++i) {
    for (std::size_t j = i + 1; j < items.size(); ++j) {
      out.add({.at = session.at, .item = items[i], .other = items[j]});
    }
  }
}

// Passes everything on and ends with the thirty most frequent pairs, ranked.
[[nodiscard]] Step best_pairs(std::int64_t end) {
  constexpr std::size_t kMost = 30;
  const auto top = std::make_shared<Top>(kMost);
  return {.kind = Kind::kStateful,
          .work =
              [top](std::size_t, Row& row, Unit& out) {
                if (row.mark) return;
                top->offer(row);
                out.add(std::move(row));
              },
          .finish =
              [top, end](Unit& out) {
                std::int64_t rank = 0;
                for (Row& row : top->take()) {
                  row.at = end;
                  row.who = ++rank;
                  out.add(std::move(row));
                }
              }};
}

// At a purchase, the user's last views.
[[nodiscard]] Step views_before_purchase(const Input& input, std::size_t partitions) {
  struct View {
    std::int64_t time;
    std::int64_t item;
  };
  const Parts<std::unordered_map<std::int64_t, std::deque<View>>> users(partitions);
  const auto work = [users, &input](std::size_t partition, Row& row, Unit& out) {
    constexpr std::size_t kMostViews = 5;
    constexpr std::int64_t kOldest = 864'000;
    auto& views = users[partition][row.who];
    if (row.other == kNull) {
      if (views.size() == kMostViews) views.pop_front();
      views.push_back({.time = row.time, .item = row.item});
      return;
    }
    const auto category = input.category_of(row.item);
    if (category != 2 && category != 3) return;
    for (const View& view : views) {
      if (row.time - view.time <= kOldest) {
        out.add({.at = row.at, .who = row.item, .item = view.item});
      }
    }
  };
  return {.kind = Kind::kKeyed, .work = work, .key = [](const Row& row) { return row.who; }};
}

// Sessions whose last page about a cart is not an order, with how many pages they had.
[[nodiscard]] Step abandoned(const Input& input) {
  return {.kind = Kind::kStateless, .work = [&input](std::size_t, Row& session, Unit& out) {
            auto last = Page::kOther;
            for (const auto page : session.list) {
              if (input.page_of(page) != Page::kOther) last = input.page_of(page);
            }
            if (last != Page::kDynamic) return;
            const auto pages = static_cast<std::int64_t>(session.list.size());
            out.add({.at = session.at, .who = session.who, .item = pages});
          }};
}

// Running sum and count.
[[nodiscard]] Step total_pages() {
  struct Total {
    std::int64_t pages = 0;
    std::int64_t sessions = 0;
  };
  return {.kind = Kind::kStateful,
          .work = [total = std::make_shared<Total>()](std::size_t, Row& row, Unit& out) {
            if (row.mark) return;
            row.other = total->pages += row.item;
            row.amount = ++total->sessions;
            out.add(std::move(row));
          }};
}

}  // namespace

std::vector<Step> q2_steps(const Input& input, std::size_t partitions) {
  return {filter(has_user_and_item),
          sessions(partitions, input.end(), [](const Row& row) { return row.item; }),
          {.kind = Kind::kStateless, .work = make_pairs},
          running_count(partitions, pair_key),
          best_pairs(input.end())};
}

std::vector<Step> q3_steps(const Input& input, std::size_t partitions) {
  return {filter(has_user_and_item), views_before_purchase(input, partitions),
          running_count(partitions, [](const Row& row) { return row.item; })};
}

std::vector<Step> q4_steps(const Input& input, std::size_t partitions) {
  return {filter([](const Row& row) { return row.who != kNull && row.other == kNull; }),
          sessions(partitions, input.end(), [](const Row& row) { return row.amount; }),
          abandoned(input), total_pages()};
}

}  // namespace penstock::bench::queries
