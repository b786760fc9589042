#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "penstock/ops/keyed_rows.hpp"
#include "penstock/tuple/field.hpp"

namespace penstock::ops {

// Passes on the first row of each key, and with a time to look at also those that come a span or
// more behind the last one passed on.
class Dedup final : public KeyedRows {
 public:
  struct Within {
    static constexpr int kEver = -1;

    int on = kEver;  // the column of the time: a whole number, a date or a timestamp
    std::int64_t span = 0;
  };

  // Throws std::invalid_argument, naming the column, also for a time that cannot be one.
  Dedup(const tuple::Schema& schema, const Options& options, Within within);

 protected:
  void work(const tuple::Batch& batch, std::span<const std::uint32_t> ids, Made& made) override;
  void reserve(std::uint32_t limit) override;
  void save(std::uint32_t id, std::string& out) const override;
  void restore(std::uint32_t id, std::string_view saved) override;
  void forget(std::uint32_t id) noexcept override;
  [[nodiscard]] std::size_t state_bytes() const noexcept override;

 private:
  [[nodiscard]] bool looks_at_time() const noexcept { return within_.on != Within::kEver; }

  Within within_;
  tuple::Field time_;
  // By key; of those that nothing was passed on of, the time means nothing.
  std::vector<std::uint8_t> passed_;
  std::vector<std::int64_t> last_;  // empty without a time to look at
};

}  // namespace penstock::ops
