#include "penstock/region/channels.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "penstock/base/cache_line.hpp"
#include "penstock/base/check.hpp"
#include "penstock/base/sync.hpp"

namespace penstock::region {

// A channel and what is measured of it. Channels are used by different threads.
struct alignas(base::kCacheLine) Channels::Replica {
  explicit Replica(Channel operators) : channel(std::move(operators)) {}

  // A run came at `arrived` and is worked on from now on. It waited as long as another one was
  // here; that several waited at the same time counts once.
  void begin(std::int64_t arrived) noexcept {
    const std::int64_t since = std::max(arrived, counted_until);
    if (busy_until > since) waited.fetch_add(busy_until - since, std::memory_order_relaxed);
    counted_until = busy_until;
  }

  Channel channel;
  std::int64_t busy_until = 0;
  std::int64_t counted_until = 0;
  std::atomic<std::int64_t> waited{0};
};

// A tuple on its way through the channels.
struct Channels::Kept final : graph::Pieces {
  Split split;
  std::vector<std::vector<Fragment>> made;  // by channel
  std::int64_t left_ns = 0;                 // when it left the place before
};

// What moves from channel to channel.
struct Channels::Moving final : graph::Pieces {
  int from = 0;
  int to = 0;
  std::unique_ptr<BackingStore> store;
};

namespace {

std::int64_t now_ns() { return base::RealSync::now().count(); }

// Does something with what an operator remembers, if it does; what it throws comes with its name.
template <typename Action>
void with_state(const Channel::Member& member, const Action& action) {
  KeyedState* const state = member.state();
  if (state == nullptr) return;
  try {
    action(*state);
  } catch (const graph::Interrupted&) {
    throw;
  } catch (...) {
    throw graph::FailedAtRow(graph::FailedAtRow::kUnknownRow, std::current_exception(),
                             member.name);
  }
}

}  // namespace

Channels::Channels(const tuple::Schema& input, const tuple::Schema& output, Splitter splitter,
                   std::vector<Channel> channels, Options options)
    : options_(std::move(options)),
      splitter_(std::move(splitter)),
      gatherer_(input),
      merger_(output) {
  const auto& [least, most, first] = options_.widths;
  PENSTOCK_CHECK(
      1 <= least && least <= first && first <= most && std::cmp_equal(most, channels.size()),
      "a region begins with a number of channels between its least and its most");
  for (Channel& channel : channels) {
    replicas_.push_back(std::make_unique<Replica>(std::move(channel)));
  }
  check_members();
  in_lane_ = std::ranges::any_of(replicas_.front()->channel.members(),
                                 [](const auto& member) { return member.body->in_lane(); });
  // In the order of keys alone, rows of different keys leave tuple by tuple.
  row_by_row_ = options_.order == Order::kStream && !splitter_.in_lane() &&
                replicas_.front()->channel.row_by_row();
  splitter_.set_most(most);
  splitter_.prepare(first);
}

Channels::~Channels() = default;

void Channels::check_members() const {
  if (splitter_.by_key()) return;
  for (const auto& member : replicas_.front()->channel.members()) {
    if (member.state() == nullptr) continue;
    throw std::invalid_argument("operator '" + member.name +
                                "' remembers rows, so its region must be split by a key");
  }
}

std::unique_ptr<graph::Pieces> Channels::cut(const tuple::Tuple& tuple,
                                             const graph::Division& division,
                                             std::unique_ptr<graph::Pieces> used) const {
  if (used == nullptr) used = std::make_unique<Kept>();
  auto& kept = static_cast<Kept&>(*used);  // NOLINT(*-downcast): nobody else makes pieces
  kept.made.resize(replicas_.size());
  for (auto& made : kept.made) made.clear();
  splitter_.split(tuple.batch, division, kept.split);
  kept.left_ns = now_ns();
  return used;
}

Fragment Channels::rows_of(int part, const tuple::Tuple& tuple, const Kept& kept) const {
  const Split& split = kept.split;
  Fragment fragment;
  if (split.whole == part) {
    fragment.batch = tuple.batch.slice(0, split.rows);
    if (splitter_.by_key()) {
      fragment.rows.resize(static_cast<std::size_t>(split.rows));
      std::iota(fragment.rows.begin(), fragment.rows.end(), 0);
    }
  } else if (split.whole == Split::kCut && part < split.cut.parts()) {
    const auto rows = split.cut.rows_of(part);
    fragment = {.batch = gatherer_.take(tuple.batch, rows), .rows = {rows.begin(), rows.end()}};
  }
  return fragment;
}

void Channels::process_part(int part, const tuple::Tuple& tuple, graph::Pieces& pieces) {
  auto& kept = static_cast<Kept&>(pieces);  // NOLINT(*-downcast): cut() made them
  const auto at = static_cast<std::size_t>(part);
  const Fragment given = rows_of(part, tuple, kept);
  if (given.batch.rows() == 0) return;
  Replica& here = *replicas_[at];
  here.begin(kept.left_ns);
  graph::FirstFailure failure;
  kept.made[at] = here.channel.process(given, splitter_.by_key(), failure);
  kept.left_ns = here.busy_until = now_ns();
  failure.raise();
}

void Channels::join(const tuple::Tuple& /*tuple*/, std::int64_t rows, graph::Pieces& pieces,
                    graph::Output& output) const {
  auto& kept = static_cast<Kept&>(pieces);  // NOLINT(*-downcast): cut() made them
  const auto& unkeyed = kept.split.failure;
  const std::int64_t good = std::min(rows, kept.split.rows);
  if (options_.order == Order::kStream && splitter_.by_key()) {
    merger_.merge(kept.made, good, output);
  } else {
    Merger::pass_on(kept.made, good, output);
  }
  // A row before the first one without a key may have failed in its channel; then that one counts.
  if (unkeyed && kept.split.rows < rows) unkeyed.raise();
}

// One operator after the other, as on one thread: what the first gives at the end is worked on by
// the next before that one comes to its own end.
void Channels::finish(graph::Output& output) {
  graph::FirstFailure failure;
  for (std::size_t at = 0; at < replicas_.front()->channel.members().size(); ++at) {
    std::vector<Channel::Ending> endings;
    for (const auto& replica : replicas_) {
      endings.push_back(replica->channel.finish(at, failure));
      PENSTOCK_CHECK(endings.back().ordered, "rows at the end of a region say where they belong");
    }
    failure.raise();
    merger_.merge_endings(endings, output);
  }
}

std::unique_ptr<graph::Pieces> Channels::begin_resize(int from, int to) {
  splitter_.prepare(to);
  auto moving = std::make_unique<Moving>();
  moving->from = from;
  moving->to = to;
  moving->store = options_.make_store();
  return moving;
}

void Channels::give(int part, graph::Pieces& moving) {
  auto& way = static_cast<Moving&>(moving);  // NOLINT(*-downcast): begin_resize() made it
  // Channels that stay and get no new neighbour keep all their keys (G14).
  const bool gives = part < way.from && (way.to > way.from || part >= way.to);
  if (!gives || !splitter_.by_key()) return;
  int place = 0;
  for (const auto& member : replicas_[static_cast<std::size_t>(part)]->channel.members()) {
    with_state(member, [&](KeyedState& state) {
      auto packages = state.donate(splitter_.ring(way.to), part);
      if (packages.empty()) return;
      const tuple::Schema schema = state.package_schema();
      for (Package& package : packages) {
        PENSTOCK_CHECK(package.to < way.to && (way.to < way.from || package.to >= way.from),
                       "keys move to or from channels that come or go, and to no others");
        way.store->save(place, schema, std::move(package));
      }
    });
    ++place;
  }
}

void Channels::take(int part, graph::Pieces& moving) {
  auto& way = static_cast<Moving&>(moving);  // NOLINT(*-downcast): begin_resize() made it
  if (part >= way.to || !splitter_.by_key()) return;
  int place = 0;
  for (const auto& member : replicas_[static_cast<std::size_t>(part)]->channel.members()) {
    with_state(member, [&](KeyedState& state) {
      for (const Package& package : way.store->retrieve(place, part)) state.collect(package.rows);
    });
    ++place;
  }
}

std::int64_t Channels::waited_ns(int part) const noexcept {
  return replicas_[static_cast<std::size_t>(part)]->waited.load(std::memory_order_relaxed);
}

void Channels::for_each_state(const VisitState& visit) {
  for (std::size_t at = 0; at < replicas_.size(); ++at) {
    for (const auto& member : replicas_[at]->channel.members()) {
      if (KeyedState* const state = member.state()) {
        visit(member.name, static_cast<int>(at), *state);
      }
    }
  }
}

}  // namespace penstock::region
