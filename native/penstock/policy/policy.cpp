#include "penstock/policy/policy.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <stdexcept>
#include <string>

#include "penstock/policy/by_lot.hpp"
#include "penstock/policy/current_throughput.hpp"
#include "penstock/policy/estimated_time.hpp"
#include "penstock/policy/last_in_pipeline.hpp"
#include "penstock/policy/least_recent.hpp"
#include "penstock/policy/max_queue.hpp"
#include "penstock/policy/max_running_time.hpp"
#include "penstock/policy/min_latency.hpp"
#include "penstock/policy/queue_throttling.hpp"

namespace penstock::policy {

namespace {

using Made = std::unique_ptr<Policy>;

struct Kind {
  std::string_view name;
  std::string_view abbreviation;  // empty if the papers have none
  Made (*make)(const Parameters&);
};

template <typename P>
Made plain(const Parameters& /*parameters*/) {
  return std::make_unique<P>();
}
template <typename P>
Made seeded(const Parameters& parameters) {
  return std::make_unique<P>(parameters.seed);
}
Made throttling(const Parameters& parameters) {
  return std::make_unique<QueueThrottling>(parameters.capacity);
}
Made throughput(const Parameters& parameters) {
  return std::make_unique<CurrentThroughput>(parameters.slice);
}

constexpr std::array kKinds{
    Kind{.name = "lastInPipeline", .abbreviation = "LP", .make = plain<LastInPipeline>},
    Kind{.name = "leastRecent", .abbreviation = "", .make = plain<LeastRecent>},
    Kind{.name = "random", .abbreviation = "", .make = seeded<ByLot>},
    Kind{.name = "maxQueue", .abbreviation = "", .make = seeded<MaxQueue>},
    Kind{.name = "minLatency", .abbreviation = "", .make = plain<MinLatency>},
    Kind{.name = "maxRunningTime", .abbreviation = "", .make = plain<MaxRunningTime>},
    Kind{.name = "queueThrottling", .abbreviation = "QST", .make = throttling},
    Kind{.name = "estimatedTime", .abbreviation = "ET", .make = plain<EstimatedTime>},
    Kind{.name = "currentThroughput", .abbreviation = "CT", .make = throughput},
};

constexpr auto kNames = [] {
  std::array<std::string_view, kKinds.size()> names{};
  for (std::size_t i = 0; i < kKinds.size(); ++i) names[i] = kKinds[i].name;
  return names;
}();

bool same_word(std::string_view left, std::string_view right) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return std::ranges::equal(left, right, {}, lower, lower);
}

[[noreturn]] void refuse(std::string_view name) {
  std::string known;
  for (const Kind& kind : kKinds) {
    if (!known.empty()) known += ", ";
    known += kind.name;
    if (!kind.abbreviation.empty()) known.append(" (").append(kind.abbreviation).append(")");
  }
  throw std::invalid_argument("'" + std::string(name) + "' is not a policy; there are " + known);
}

const Kind& find(std::string_view name) {
  for (const Kind& kind : kKinds) {
    if (same_word(name, kind.name)) return kind;
    if (!kind.abbreviation.empty() && same_word(name, kind.abbreviation)) return kind;
  }
  refuse(name);
}

}  // namespace

std::span<const std::string_view> names() noexcept { return kNames; }

std::string_view word_of(std::string_view name) { return find(name).name; }

std::unique_ptr<Policy> make(std::string_view name, const Parameters& parameters) {
  return find(name).make(parameters);
}

}  // namespace penstock::policy
