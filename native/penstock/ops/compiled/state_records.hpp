#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "penstock/ops/key_states.hpp"
#include "penstock/tuple/field.hpp"

namespace penstock::ops {

// A record of so many bytes for each key, all zero when the key is new. What is in it is known only
// to the function that reads and writes it.
class StateRecords final : public KeyStates {
 public:
  explicit StateRecords(std::int64_t record_bytes)
      : record_bytes_(static_cast<std::size_t>(record_bytes)) {}

  // What saves a record of so many bytes beside the columns of the key.
  [[nodiscard]] static tuple::Field saved_field(std::int64_t record_bytes,
                                                const std::vector<tuple::Field>& keys);

  // Valid until room is made for more.
  [[nodiscard]] void* data() noexcept { return records_.data(); }

  void reserve(std::uint32_t keys) override;
  void save(std::span<const std::uint32_t> ids, std::span<const Column> out) const override;
  void restore(std::span<const tuple::ColumnSlice> saved, std::span<const std::int32_t> rows,
               std::span<const std::uint32_t> ids) override;
  void forget(std::span<const std::uint32_t> ids) noexcept override;
  void clear() noexcept override { records_ = {}; }
  [[nodiscard]] std::size_t bytes() const noexcept override { return records_.capacity(); }

 private:
  std::size_t record_bytes_;
  std::vector<std::byte> records_;  // by key
};

}  // namespace penstock::ops
