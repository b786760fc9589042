#pragma once

#include <cstddef>
#include <memory>

#include "bench/workload/item.hpp"

namespace penstock::bench {

// Where an operator that is called for each tuple puts what it makes: into the run it came in, from
// its first place on. A value that is handed in and given back, so that it stays in registers: in
// memory, each call would have to wait for the one before it.
class Emit {
 public:
  explicit Emit(const Items& items) noexcept : next_(items.first()), stride_(items.stride()) {}

  [[nodiscard]] Emit operator()(const Item& item) const noexcept {
    if (&item != next_) *next_ = item;
    return {next_ + stride_, stride_};
  }

 private:
  Emit(Item* next, std::ptrdiff_t stride) noexcept : next_(next), stride_(stride) {}

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

  // Gives back where the next tuple goes.
  [[nodiscard]] virtual Emit process(Item& item, Emit emit) noexcept = 0;
  virtual void process_batch(Items items) noexcept = 0;
};

// `cost` floating point operations for each tuple, and a state that depends on their order.
[[nodiscard]] std::unique_ptr<Operator> make_operator(int cost);

}  // namespace penstock::bench
