#pragma once

#include <cstddef>
#include <memory>

#include "bench/workload/item.hpp"

namespace penstock::bench {

// Where an operator that is called for each tuple puts what it makes: the place of the tuple it
// was called for. Concrete and inline, so that emitting is no call.
class Emit {
 public:
  explicit Emit(const Items& items) noexcept : next_(items.first()), stride_(items.stride()) {}

  void operator()(const Item& item) noexcept {
    if (&item != next_) *next_ = item;
    next_ += stride_;
  }

 private:
  Item* next_;
  std::ptrdiff_t stride_;
};

// An operator as its author writes it, in one of two ways. Both are virtual and compiled apart
// from whoever calls them, so that no contender has them inlined.
class Operator {
 public:
  Operator() = default;
  Operator(const Operator&) = delete;
  Operator& operator=(const Operator&) = delete;
  Operator(Operator&&) = delete;
  Operator& operator=(Operator&&) = delete;
  virtual ~Operator() = default;

  virtual void process(Item& item, Emit& emit) noexcept = 0;
  virtual void process_batch(Items items) noexcept = 0;
};

// `cost` floating point operations for each tuple, and a state that depends on their order.
[[nodiscard]] std::unique_ptr<Operator> make_operator(int cost);

}  // namespace penstock::bench
