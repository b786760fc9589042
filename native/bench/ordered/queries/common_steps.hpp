#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bench/ordered/queries/step.hpp"

namespace penstock::bench::queries {

// One number for a pair of items, both below 2^32.
[[nodiscard]] inline std::int64_t pair_key(const Row& row) noexcept {
  return row.item << 32U | row.other;
}

// Passes on what `keep` says.
template <typename Keep>
[[nodiscard]] Step filter(Keep keep) {
  return {.kind = Kind::kStateless, .work = [keep](std::size_t, Row& row, Unit& out) {
            if (keep(row)) out.add(std::move(row));
          }};
}

// Numbers the rows of each key from 1.
template <typename Key>
[[nodiscard]] Step running_count(std::size_t partitions, Key key) {
  const Parts<std::unordered_map<std::int64_t, std::int64_t>> counts(partitions);
  return {.kind = Kind::kKeyed,
          .work =
              [counts, key](std::size_t partition, Row& row, Unit& out) {
                row.amount = ++counts[partition][key(row)];
                out.add(std::move(row));
              },
          .key = key};
}

// Gathers a column of each user's rows until the next one comes more than an hour later, or the
// input ends: then all sessions that are left, in the order in which they began.
template <typename Column>
[[nodiscard]] Step sessions(std::size_t partitions, std::int64_t end, Column column) {
  struct Session {
    std::int64_t begun_at;
    std::int64_t last_time;
    std::vector<std::int64_t> list;
  };
  const Parts<std::unordered_map<std::int64_t, Session>> users(partitions);
  const auto close = [](std::int64_t at, std::int64_t who, Session& session, Unit& out) {
    out.add({.at = at, .who = who, .list = std::move(session.list)});
  };
  const auto work = [users, column, close](std::size_t partition, Row& row, Unit& out) {
    constexpr std::int64_t kLongestGap = 3'600;
    auto [place, is_new] = users[partition].try_emplace(
        row.who, Session{.begun_at = row.at, .last_time = row.time, .list = {}});
    Session& session = place->second;
    if (row.time - session.last_time > kLongestGap) {
      close(row.at, row.who, session, out);
      session = {.begun_at = row.at, .last_time = row.time, .list = {}};
    }
    session.last_time = row.time;
    session.list.push_back(column(row));
  };
  const auto finish = [users, end, close](Unit& out) {
    std::vector<std::pair<std::int64_t, Session*>> open;
    for (std::size_t i = 0; i < users.size(); ++i) {
      for (auto& [who, session] : users[i]) open.emplace_back(who, &session);
    }
    std::ranges::sort(open, {}, [](const auto& each) { return each.second->begun_at; });
    for (const auto& [who, session] : open) close(end, who, *session, out);
  };
  return {.kind = Kind::kKeyed,
          .work = work,
          .key = [](const Row& row) { return row.who; },
          .finish = finish};
}

}  // namespace penstock::bench::queries
