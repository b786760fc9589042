#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "penstock/region/hash_ring.hpp"
#include "penstock/tuple/batch.hpp"
#include "penstock/tuple/schema.hpp"

namespace penstock::region {

// A part of what an operator remembers, on its way from one channel to another: a row for each key,
// the key columns first, then what is known of the key.
struct Package {
  int from = 0;
  int to = 0;
  tuple::Batch rows;
};

// What one operator remembers of its keys on one channel: an operator that is one may be part of
// a region by key. Its channel's, so one thread at a time calls it.
class KeyedState {
 public:
  KeyedState() = default;
  KeyedState(const KeyedState&) = delete;
  KeyedState& operator=(const KeyedState&) = delete;
  KeyedState(KeyedState&&) = delete;
  KeyedState& operator=(KeyedState&&) = delete;
  virtual ~KeyedState() = default;

  // Takes out, and forgets, what belongs to other channels than `self` on that ring: at most one
  // package for each of them, none without rows (G12). If it throws, nothing was forgotten.
  [[nodiscard]] virtual std::vector<Package> donate(const HashRing& ring, int self) = 0;
  // Adds what another channel gave. No key of it is known here.
  virtual void collect(const tuple::Batch& rows) = 0;
  // Everything, in the layout of a package and in any order, left as it is.
  [[nodiscard]] virtual tuple::Batch snapshot() const = 0;
  // The columns of a package and of a snapshot.
  [[nodiscard]] virtual tuple::Schema package_schema() const = 0;
  [[nodiscard]] virtual std::size_t keys() const noexcept = 0;
};

// Called with what an operator of that name knows on one channel.
using VisitState = std::function<void(const std::string& name, int channel, KeyedState& state)>;

}  // namespace penstock::region
