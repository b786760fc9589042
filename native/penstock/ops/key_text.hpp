#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "penstock/tuple/batch.hpp"
#include "penstock/tuple/field.hpp"

namespace penstock::ops {

// A key for people, as in: user = 'ada', hour = 7. Long texts are cut, and what is no printable
// UTF-8 is shown as ?, so it can be part of a message anywhere. Times are numbers, as they lie.
[[nodiscard]] std::string key_text(const std::vector<tuple::Field>& fields,
                                   const tuple::Batch& keys, std::int64_t row);

// One of several keys that a message names, and what it takes.
struct LargeKey {
  std::uint32_t id = 0;
  std::size_t bytes = 0;
};

// The largest of many keys that are shown one after another, the largest first.
class LargestKeys {
 public:
  static constexpr std::size_t kNamed = 3;

  void show(LargeKey key);
  [[nodiscard]] const std::vector<LargeKey>& keys() const noexcept { return keys_; }
  // Whether all keys that were shown are equally large.
  [[nodiscard]] bool all_alike() const noexcept {
    return keys_.empty() || keys_.front().bytes == least_;
  }

 private:
  std::vector<LargeKey> keys_;
  std::size_t least_ = 0;
};

// "user = 'ada' (120 bytes), ..." of the largest; row i of `keys` is that of `ids[i]`.
[[nodiscard]] std::string largest_text(const LargestKeys& largest,
                                       const std::vector<tuple::Field>& fields,
                                       const std::vector<std::uint32_t>& ids,
                                       const tuple::Batch& keys);

}  // namespace penstock::ops
