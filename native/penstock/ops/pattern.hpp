#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "penstock/ops/front_queue.hpp"
#include "penstock/ops/keyed_rows.hpp"
#include "penstock/ops/pattern_machine.hpp"
#include "penstock/tuple/row_codec.hpp"

namespace penstock::ops {

// Finds sequences of rows of a key. The first match to be complete counts, of several that end at
// the same row the one that began first; the next one begins behind it. It makes the key, the times
// of the match's first and last row, and the number of rows of the key from the one to the other.
//
// Matches in the making that are in the same state stay together for good, so what is done for a
// row does not grow with their number.
class Pattern final : public KeyedRows {
 public:
  struct Shape {
    std::vector<PatternStep> steps;
    std::vector<int> predicates;  // columns of booleans
    int time = 0;                 // column
    std::optional<std::int64_t> within;
  };

  Pattern(const tuple::Schema& input, const tuple::Schema& output, Shape shape,
          const Options& options);

 private:
  struct Beginning {
    std::int64_t time = 0;
    std::int64_t number = 0;  // of the row, within its key
  };
  struct Group {
    PatternMachine::State state;
    FrontQueue<Beginning> beginnings;  // ascending
  };
  struct Known {
    std::int64_t latest = std::numeric_limits<std::int64_t>::min();
    std::int64_t rows = 0;
    std::vector<Group> groups;
  };

 protected:
  void work(const tuple::Batch& batch, std::span<const std::uint32_t> ids, Made& made) override;
  void reserve(std::uint32_t limit) override {
    if (known_.size() < limit) known_.resize(limit);
  }
  void save(std::uint32_t id, std::string& out) const override;
  void restore(std::uint32_t id, std::string_view saved) override;
  void forget(std::uint32_t id) noexcept override;
  [[nodiscard]] std::size_t state_bytes() const noexcept override;
  [[nodiscard]] std::size_t bytes_of(std::uint32_t id) const noexcept override;

 private:
  [[nodiscard]] std::uint64_t predicates_of(const tuple::Batch& batch, std::int64_t row) const;
  // The match that is complete with this row.
  [[nodiscard]] std::optional<Beginning> advance(Known& known, std::uint64_t predicates,
                                                 std::int64_t time);
  void expire(Known& known, std::int64_t time);
  void add(std::vector<Group>& groups, Group group);
  void drop_all(Known& known) noexcept;
  void encode_row(const tuple::RowEncoder& encoder, std::int32_t row, const Beginning& beginning,
                  std::int64_t number, std::string& out) const;

  Shape shape_;
  std::vector<int> keys_;
  PatternMachine machine_;
  tuple::RowCodec codec_;
  std::vector<Known> known_;
  std::size_t beginnings_ = 0;  // of all keys
};

}  // namespace penstock::ops
