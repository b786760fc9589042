#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "penstock/graph/divided_operator.hpp"
#include "penstock/graph/row_failure.hpp"
#include "penstock/region/cut.hpp"
#include "penstock/region/hash_ring.hpp"
#include "penstock/tuple/batch.hpp"
#include "penstock/tuple/key_columns.hpp"

namespace penstock::region {

// Which rows of a tuple go to which channel. Kept and filled for one tuple after another.
struct Split {
  static constexpr int kCut = -1;

  int whole = kCut;       // all rows go to this channel; otherwise `cut` tells
  std::int64_t rows = 0;  // that go anywhere: those before the first one without a key
  Cut cut;
  graph::FirstFailure failure;  // the key function's
  std::vector<std::uint64_t> hashes;
  std::vector<std::int32_t> channel_of;
};

// Decides for every row to which channel of a region it goes: by the hash of its key, or in turn
// with all other rows of its tuple.
class Splitter {
 public:
  // Makes a batch of key columns, a row for each row given.
  using KeyFunction = std::function<tuple::Batch(const tuple::Batch&)>;

  Splitter() = default;  // in turn
  explicit Splitter(tuple::KeyColumns keys, KeyFunction function = {}, bool in_lane = false)
      : keys_(std::move(keys)), function_(std::move(function)), in_lane_(in_lane) {}

  [[nodiscard]] bool by_key() const noexcept { return keys_.has_value(); }
  // Whether the key function must run in the lane.
  [[nodiscard]] bool in_lane() const noexcept { return in_lane_; }

  // To be called before anything else: rows go to so many channels at most.
  void set_most(int width) { rings_.resize(static_cast<std::size_t>(width) + 1); }
  // To be called before anybody splits to so many channels, others may split meanwhile.
  void prepare(int width);
  [[nodiscard]] const HashRing& ring(int width) const;

  // On any number of threads at once.
  void split(const tuple::Batch& batch, const graph::Division& division, Split& out) const;

 private:
  [[nodiscard]] tuple::Batch keys_of(const tuple::Batch& batch, Split& out) const;

  std::optional<tuple::KeyColumns> keys_;
  KeyFunction function_;
  bool in_lane_ = false;
  std::vector<std::unique_ptr<HashRing>> rings_;  // by width
};

}  // namespace penstock::region
