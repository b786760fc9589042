#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "penstock/graph/topology.hpp"
#include "penstock/region/channels.hpp"

#include "support/int_batch.hpp"
#include "support/key_counter.hpp"

namespace penstock::support {

// A flow that is one region: whole numbers, counted by themselves.
inline graph::Topology counting_region(
    region::Channels::Widths widths,
    const KeyCounter::Copies& copies = [](std::int64_t) { return 1; }) {
  std::vector<region::Channel> channels;
  for (int i = 0; i < widths.most; ++i) {
    channels.push_back(channel_of("count", std::make_unique<KeyCounter>(copies)));
  }
  region::Channels::Options options;
  options.widths = widths;
  graph::TopologyBuilder builder("counting");
  const int count = builder.add(
      "counts", graph::Kind::kKeyed, 1, 1,
      std::make_unique<region::Channels>(int_schema(), int_schema(),
                                         region::Splitter(tuple::KeyColumns(int_schema(), {0})),
                                         std::move(channels), std::move(options)));
  builder.connect(graph::kSource, 0, count, 0);
  builder.connect(count, 0, graph::kSink, 0);
  return std::move(builder).build();
}

}  // namespace penstock::support
