#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace penstock::ops {

// A vector from whose front elements go: cheap where there is a queue for each of many keys and
// most hold little, unlike std::deque.
template <typename Value>
class FrontQueue {
 public:
  using iterator = typename std::vector<Value>::iterator;
  using const_iterator = typename std::vector<Value>::const_iterator;

  [[nodiscard]] iterator begin() noexcept { return values_.begin() + gone_; }
  [[nodiscard]] iterator end() noexcept { return values_.end(); }
  [[nodiscard]] const_iterator begin() const noexcept { return values_.begin() + gone_; }
  [[nodiscard]] const_iterator end() const noexcept { return values_.end(); }
  [[nodiscard]] bool empty() const noexcept { return begin() == end(); }
  [[nodiscard]] std::size_t size() const noexcept {
    return static_cast<std::size_t>(end() - begin());
  }
  [[nodiscard]] Value& front() noexcept { return *begin(); }

  void push_back(Value value) { values_.push_back(std::move(value)); }
  void insert(iterator before, Value value) { values_.insert(before, std::move(value)); }
  // Moves the others down now and then, so each element moves about once.
  void pop_front() {
    *begin() = Value();
    if (static_cast<std::size_t>(++gone_) * 2 < values_.size()) return;
    values_.erase(values_.begin(), begin());
    gone_ = 0;
  }
  void clear() noexcept {
    values_.clear();
    gone_ = 0;
  }
  void assign(std::vector<Value> values) noexcept {
    values_ = std::move(values);
    gone_ = 0;
  }

 private:
  std::vector<Value> values_;
  std::ptrdiff_t gone_ = 0;
};

}  // namespace penstock::ops
