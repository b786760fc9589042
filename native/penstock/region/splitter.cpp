#include "penstock/region/splitter.hpp"

#include <stdexcept>
#include <string>

#include "penstock/base/check.hpp"
#include "penstock/graph/operator.hpp"

namespace penstock::region {

namespace {

tuple::Batch call(const Splitter::KeyFunction& function, const tuple::Batch& batch) {
  tuple::Batch keys = function(batch);
  if (keys.rows() == batch.rows()) return keys;
  throw std::runtime_error("the key function made " + std::to_string(keys.rows()) + " keys of " +
                           std::to_string(batch.rows()) + " rows");
}

}  // namespace

void Splitter::prepare(int width) {
  const auto at = static_cast<std::size_t>(width);
  PENSTOCK_CHECK(width >= 1 && at < rings_.size(), "rows go to channels that there are");
  if (!keys_) return;
  if (rings_[at] == nullptr) rings_[at] = std::make_unique<HashRing>(width);
}

const HashRing& Splitter::ring(int width) const {
  const auto at = static_cast<std::size_t>(width);
  PENSTOCK_CHECK(at < rings_.size() && rings_[at] != nullptr, "this width was prepared");
  return *rings_[at];
}

void Splitter::split(const tuple::Batch& batch, const graph::Division& division, Split& out) const {
  out.failure.clear();
  out.rows = batch.rows();
  out.whole = Split::kCut;
  if (!keys_) {
    out.whole = static_cast<int>(division.serial % static_cast<std::uint64_t>(division.width));
    return;
  }
  const tuple::Batch keys = function_ ? keys_of(batch, out) : batch;
  if (division.width == 1 || out.rows == 0) {
    out.whole = 0;
    return;
  }
  keys_->hash(keys, out.hashes);
  out.channel_of.resize(out.hashes.size());
  ring(division.width).channels_of(out.hashes, out.channel_of);
  out.cut.assign(out.channel_of, division.width);
}

// Those of the rows before the first one for which the function raises.
tuple::Batch Splitter::keys_of(const tuple::Batch& batch, Split& out) const {
  try {
    return call(function_, batch);
  } catch (const graph::Interrupted&) {
    throw;
  } catch (...) {
    out.failure.add({batch.rows() - 1, std::current_exception()});
  }
  std::int64_t good = 0;
  std::int64_t bad = batch.rows();
  tuple::Batch keys;
  while (bad - good > 1) {
    const std::int64_t middle = good + (bad - good) / 2;
    try {
      keys = call(function_, batch.slice(0, middle));
      good = middle;
    } catch (const graph::Interrupted&) {
      throw;
    } catch (...) {
      bad = middle;
      out.failure.add({middle - 1, std::current_exception()});
    }
  }
  out.rows = good;
  return keys;
}

}  // namespace penstock::region
