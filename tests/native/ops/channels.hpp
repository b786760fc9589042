#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "penstock/ops/running_aggregate.hpp"
#include "penstock/region/hash_ring.hpp"
#include "penstock/tuple/key_columns.hpp"

#include "support/arrow_reading.hpp"
#include "support/arrow_values.hpp"

namespace penstock::support {

class Collected final : public graph::Output {
 public:
  void emit(tuple::Batch batch, int /*port*/) override { made = std::move(batch); }
  void punctuate(int /*port*/) override {}
  [[nodiscard]] int ports() const override { return 1; }

  tuple::Batch made;
};

inline tuple::Batch run(ops::RunningAggregate& aggregate, tuple::Batch batch) {
  const auto rows = batch.rows();
  Collected output;
  aggregate.process({.batch = std::move(batch), .origin = {.count = rows}}, 0, output);
  return output.made;
}

// The rows of a batch, each as one text, sorted.
inline std::vector<std::string> sorted_rows(const std::vector<Type>& types, tuple::Batch batch) {
  std::vector<std::string> rows(static_cast<std::size_t>(batch.rows()));
  for (const Values& column : read_batch(types, std::move(batch))) {
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const auto& [null, bytes, items] = column[row];
      rows[row] += null ? "null;" : std::to_string(bytes.size()) + ":" + bytes + ";";
    }
  }
  std::ranges::sort(rows);
  return rows;
}

// The types of a package.
inline std::vector<Type> package_types(const ops::RunningAggregate& aggregate) {
  std::vector<Type> types;
  for (const auto& field : tuple::read_fields(aggregate.package_schema())) {
    types.push_back({.format = field.format, .name = field.name});
  }
  return types;
}

// A region without threads: aggregates that share the keys, and hand them over when the number of
// channels changes.
class Channels {
 public:
  Channels(const std::vector<Type>& types, const ops::RunningAggregate::Options& options, int most)
      : types_(types), keys_(make_schema(types), options.keys) {
    for (int i = 0; i < most; ++i) {
      auto each = options;
      each.parts = 1 + i % 3;
      channels_.push_back(std::make_unique<ops::RunningAggregate>(make_schema(types), each));
    }
  }

  // What all rows make, in their order.
  std::vector<Values> run(const std::vector<Values>& columns, const std::vector<Type>& made) {
    const auto batch = make_batch(types_, columns);
    const region::HashRing ring(width_);
    std::vector<std::uint64_t> hashes;
    keys_.hash(batch, hashes);
    std::vector<Values> all(made.size(), Values(hashes.size()));
    for (int channel = 0; channel < width_; ++channel) {
      std::vector<std::size_t> rows;
      std::vector<Values> mine(columns.size());
      for (std::size_t row = 0; row < hashes.size(); ++row) {
        if (ring.channel_of(hashes[row]) != channel) continue;
        rows.push_back(row);
        for (std::size_t c = 0; c < columns.size(); ++c) mine[c].push_back(columns[c][row]);
      }
      const auto part = read_batch(made, support::run(at(channel), make_batch(types_, mine)));
      for (std::size_t c = 0; c < made.size(); ++c) {
        for (std::size_t i = 0; i < rows.size(); ++i) all[c][rows[i]] = part[c][i];
      }
    }
    return all;
  }

  // The packages that were handed over.
  std::vector<region::Package> resize(int width) {
    const region::HashRing ring(width);
    std::vector<region::Package> packages;
    for (int channel = 0; channel < width_; ++channel) {
      for (auto& package : at(channel).donate(ring, channel))
        packages.push_back(std::move(package));
    }
    for (const auto& package : packages) at(package.to).collect(package.rows);
    width_ = width;
    return packages;
  }

  [[nodiscard]] std::vector<std::string> snapshot() const {
    std::vector<std::string> rows;
    for (const auto& channel : channels_) {
      const auto more = sorted_rows(package_types(*channel), channel->snapshot());
      rows.insert(rows.end(), more.begin(), more.end());
    }
    std::ranges::sort(rows);
    return rows;
  }

  [[nodiscard]] ops::RunningAggregate& at(int channel) const {
    return *channels_.at(static_cast<std::size_t>(channel));
  }
  [[nodiscard]] int width() const noexcept { return width_; }

 private:
  std::vector<Type> types_;
  tuple::KeyColumns keys_;
  std::vector<std::unique_ptr<ops::RunningAggregate>> channels_;
  int width_ = 1;
};

}  // namespace penstock::support
