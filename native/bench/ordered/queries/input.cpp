#include "bench/ordered/queries/input.hpp"

#include <algorithm>
#include <array>
#include <random>

namespace penstock::bench::queries {

namespace {

constexpr std::uint64_t kSeed = 8;
constexpr std::int64_t kItems = 400;
constexpr std::int64_t kCategories = 10;
constexpr std::int64_t kPages = 60;
constexpr std::int64_t kUsers = 600;
constexpr std::int64_t kDays = 37;

// The standard's own distributions differ from library to library.
class Dice {
 public:
  [[nodiscard]] std::int64_t below(std::int64_t end) {
    return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(end));
  }
  [[nodiscard]] bool one_in(std::int64_t many) { return below(many) == 0; }
  // Some items are asked for more than others.
  [[nodiscard]] std::int64_t item() { return std::min(below(kItems), below(kItems)); }

 private:
  // NOLINTNEXTLINE(*-random-generator-seed): the same rows for everybody
  std::mt19937_64 random_{kSeed};
};

[[nodiscard]] Input make_tables(Dice& dice) {
  constexpr std::int64_t kDynamicPages = 9;
  constexpr std::int64_t kOrderPages = 6;
  Input input;
  for (std::int64_t i = 0; i < kItems; ++i) input.categories.push_back(1 + dice.below(kCategories));
  input.pages.assign(kPages, Page::kOther);
  const auto dynamic_end = input.pages.begin() + kDynamicPages;
  std::fill(input.pages.begin(), dynamic_end, Page::kDynamic);
  std::fill(dynamic_end, dynamic_end + kOrderPages, Page::kOrder);
  return input;
}

}  // namespace

Input make_clicks(std::size_t rows) {
  constexpr std::int64_t kMostGap = 50;       // seconds between two clicks of anybody
  constexpr std::int64_t kSessionClicks = 8;  // of a user, on average
  Dice dice;
  Input input = make_tables(dice);
  std::array<std::int64_t, 32> present{};  // users who are in a session
  for (auto& user : present) user = dice.below(kUsers);
  std::int64_t time = kFirstDay * kDay;
  for (std::size_t i = 0; i < rows; ++i) {
    time += dice.below(kMostGap);
    auto& user = present.at(static_cast<std::size_t>(dice.below(present.size())));
    Row row{.at = static_cast<std::int64_t>(i), .time = time};
    row.who = dice.one_in(50) ? kNull : user;
    row.item = dice.one_in(25) ? kNull : dice.item();
    row.other = dice.one_in(9) ? row.at : kNull;
    row.amount = dice.below(kPages);
    input.rows.push_back(std::move(row));
    if (dice.one_in(kSessionClicks)) user = dice.below(kUsers);
  }
  return input;
}

Input make_sales(std::size_t rows) {
  constexpr std::int64_t kMostSales = 8;  // on a ticket
  constexpr std::int64_t kStores = 5;
  constexpr std::int64_t kMostCents = 50'000;
  Dice dice;
  Input input = make_tables(dice);
  const auto end = static_cast<std::int64_t>(rows);
  for (std::int64_t ticket = 0; input.end() < end; ++ticket) {
    const auto time = kFirstDay * kDay + input.end() * kDays * kDay / end;
    const auto store = 10 * (1 + dice.below(kStores));
    for (auto sales = 1 + dice.below(kMostSales); sales > 0 && input.end() < end; --sales) {
      Row row{.at = input.end(), .time = time, .who = ticket};
      row.item = dice.item();
      row.other = store;
      row.amount = dice.below(kMostCents);
      input.rows.push_back(std::move(row));
    }
  }
  return input;
}

}  // namespace penstock::bench::queries
