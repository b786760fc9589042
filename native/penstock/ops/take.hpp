#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "penstock/ops/keyed_rows.hpp"

namespace penstock::ops {

// Passes on the first rows of each key, so many of them.
class Take final : public KeyedRows {
 public:
  // Throws std::invalid_argument for less than no rows.
  Take(const tuple::Schema& schema, const Options& options, std::int64_t rows);

  // Of no key there will be another row.
  [[nodiscard]] bool completed() const noexcept override {
    return !by_key_ && !taken_.empty() && taken_.front() == most_;
  }
  [[nodiscard]] std::int64_t completed_at() const noexcept override { return last_; }

 protected:
  void work(const tuple::Batch& batch, std::span<const std::uint32_t> ids, Made& made) override;
  void reserve(std::uint32_t limit) override;
  void save(std::uint32_t id, std::string& out) const override;
  void restore(std::uint32_t id, std::string_view saved) override;
  void forget(std::uint32_t id) noexcept override;
  [[nodiscard]] std::size_t state_bytes() const noexcept override;

 private:
  std::int64_t most_;
  bool by_key_;
  std::int64_t last_ = 0;            // the row of the tuple that was taken last
  std::vector<std::int64_t> taken_;  // by key
};

}  // namespace penstock::ops
