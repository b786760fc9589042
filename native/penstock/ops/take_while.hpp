#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "penstock/ops/keyed_rows.hpp"

namespace penstock::ops {

// Passes on the rows of each key before the first in which a column is not true; null is not.
class TakeWhile final : public KeyedRows {
 public:
  // Throws std::invalid_argument, naming the column, if that is not of booleans.
  TakeWhile(const tuple::Schema& schema, const Options& options, int column);

  // No row comes behind the one that ended it, whatever the key.
  [[nodiscard]] bool completed() const noexcept override {
    return !by_key_ && !ended_.empty() && ended_.front() != 0;
  }
  [[nodiscard]] std::int64_t completed_at() const noexcept override { return last_; }

 protected:
  void work(const tuple::Batch& batch, std::span<const std::uint32_t> ids, Made& made) override;
  void reserve(std::uint32_t limit) override;
  void save(std::uint32_t id, std::string& out) const override;
  void restore(std::uint32_t id, std::string_view saved) override;
  void forget(std::uint32_t id) noexcept override;
  [[nodiscard]] std::size_t state_bytes() const noexcept override { return ended_.capacity(); }

 private:
  int column_;
  bool by_key_;
  std::int64_t last_ = 0;            // the row of the tuple that ended a key last
  std::vector<std::uint8_t> ended_;  // by key
};

}  // namespace penstock::ops
