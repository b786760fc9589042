#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "penstock/base/hash.hpp"
#include "penstock/graph/operator.hpp"
#include "penstock/graph/row_failure.hpp"
#include "penstock/region/channel.hpp"
#include "penstock/region/keyed_state.hpp"
#include "penstock/tuple/key_columns.hpp"

#include "support/arrow_columns.hpp"
#include "support/int_batch.hpp"

namespace penstock::support {

inline tuple::Schema int_schema() { return make_schema({{.format = "l", .name = "value"}}); }

// Counts how often each value came. A row makes `copies(value)` rows of 1,000 times its value plus
// the count; values from kTooLarge on are refused.
class KeyCounter final : public graph::Operator, public region::KeyedState {
 public:
  static constexpr std::int64_t kTooLarge = 1'000'000;
  using Copies = std::function<int(std::int64_t)>;

  explicit KeyCounter(Copies copies = [](std::int64_t) { return 1; })
      : copies_(std::move(copies)) {}

  void process(const tuple::Tuple& tuple, int /*port*/, graph::Output& output) override {
    std::vector<std::int64_t> made;
    std::vector<std::int32_t> rows;
    std::int32_t row = 0;
    for (const auto value : read_column(tuple.batch)) {
      if (value >= kTooLarge) {
        output.emit_rows(make_int_batch(std::move(made)), rows, 0);
        throw graph::FailedAtRow(row, std::make_exception_ptr(std::runtime_error("too large")));
      }
      const std::int64_t count = ++seen_[value];
      for (int i = 0; i < copies_(value); ++i) {
        made.push_back((1000 * value) + count);
        rows.push_back(row);
      }
      ++row;
    }
    output.emit_rows(make_int_batch(std::move(made)), rows, 0);
  }

  [[nodiscard]] std::vector<region::Package> donate(const region::HashRing& ring,
                                                    int self) override {
    if (fails_to_donate) throw std::runtime_error("will not give");
    std::map<int, std::map<std::int64_t, std::int64_t>> leaving;
    for (const auto& [value, count] : seen_) {
      const int to = ring.channel_of(hash_of(value));
      if (to != self) leaving[to][value] = count;
    }
    std::vector<region::Package> packages;
    for (const auto& [to, counts] : leaving) {
      for (const auto& [value, count] : counts) seen_.erase(value);
      packages.push_back({.from = self, .to = to, .rows = batch_of(counts)});
    }
    return packages;
  }

  void collect(const tuple::Batch& rows) override {
    const auto values = read_column(rows, 0);
    const auto counts = read_column(rows, 1);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!seen_.emplace(values[i], counts[i]).second) throw std::logic_error("known already");
    }
  }

  [[nodiscard]] tuple::Batch snapshot() const override { return batch_of(seen_); }
  [[nodiscard]] tuple::Schema package_schema() const override {
    return make_schema({{.format = "l", .name = "value"}, {.format = "l", .name = "count"}});
  }
  [[nodiscard]] std::size_t keys() const noexcept override { return seen_.size(); }
  [[nodiscard]] const std::map<std::int64_t, std::int64_t>& seen() const noexcept { return seen_; }

  // As the engine hashes an int64 key.
  [[nodiscard]] static std::uint64_t hash_of(std::int64_t value) {
    static const tuple::KeyColumns keys(int_schema(), {0});
    std::vector<std::uint64_t> hashes;
    keys.hash(make_int_batch({value}), hashes);
    return hashes.front();
  }

  bool fails_to_donate = false;

 private:
  static tuple::Batch batch_of(const std::map<std::int64_t, std::int64_t>& counts) {
    std::vector<std::int64_t> values;
    std::vector<std::int64_t> numbers;
    for (const auto& [value, count] : counts) {
      values.push_back(value);
      numbers.push_back(count);
    }
    ArrowArray array = make_int_array({std::move(values), std::move(numbers)});
    return tuple::Batch::adopt(array);
  }

  Copies copies_;
  std::map<std::int64_t, std::int64_t> seen_;
};

// What a region of one KeyCounter makes of rows, worked on one after another.
inline std::vector<std::int64_t> counted(const std::vector<std::int64_t>& values,
                                         const KeyCounter::Copies& copies) {
  std::map<std::int64_t, std::int64_t> seen;
  std::vector<std::int64_t> made;
  for (const auto value : values) {
    const std::int64_t count = ++seen[value];
    for (int i = 0; i < copies(value); ++i) made.push_back((1000 * value) + count);
  }
  return made;
}

// A channel of one operator.
inline region::Channel channel_of(std::string name, std::unique_ptr<graph::Operator> body) {
  std::vector<region::Channel::Member> members;
  members.push_back({.name = std::move(name), .body = std::move(body)});
  return region::Channel(std::move(members));
}

}  // namespace penstock::support
