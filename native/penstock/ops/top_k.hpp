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

// Keeps the best rows of each key, and gives them out at the end, the best first. Of rows that are
// equally good the one that came first is the better. A null is worse than any value.
class TopK final : public KeyedRows {
 public:
  struct By {
    int column = 0;
    bool descending = true;  // the largest is the best
  };

  // Throws std::invalid_argument, naming the column, also for one that cannot be kept or ordered
  // by.
  TopK(const tuple::Schema& schema, const Options& options, std::size_t most, std::vector<By> by);

 protected:
  void work(const tuple::Batch& batch, std::span<const std::uint32_t> ids, Made& made) override;
  void flush(std::uint32_t id, Made& made) override;
  void reserve(std::uint32_t limit) override;
  void save(std::uint32_t id, std::string& out) const override;
  void restore(std::uint32_t id, std::string_view saved) override;
  void forget(std::uint32_t id) noexcept override;
  [[nodiscard]] std::size_t state_bytes() const noexcept override;
  [[nodiscard]] std::size_t bytes_of(std::uint32_t id) const noexcept override;

 private:
  struct Kept {
    std::string rank;  // the smallest is the best
    std::uint64_t came = 0;
    std::string row;
  };
  struct IsBetter {
    bool operator()(const Kept& one, const Kept& other) const noexcept {
      const int by_rank = one.rank.compare(other.rank);
      return by_rank != 0 ? by_rank < 0 : one.came < other.came;
    }
  };
  // A heap with the worst in front.
  struct Best {
    std::vector<Kept> heap;
    std::uint64_t came = 0;  // rows that were kept so far
  };

  void write_rank(const tuple::Batch& batch, std::int64_t row, std::string& out) const;
  void keep(Best& best, Kept kept);
  [[nodiscard]] static std::size_t bytes_of(const Kept& kept) noexcept;
  [[nodiscard]] static std::vector<Kept> sorted(const Best& best);

  tuple::RowCodec codec_;
  std::size_t most_;
  std::vector<By> by_;
  std::vector<Best> best_;  // by key
  std::size_t kept_bytes_ = 0;
};

}  // namespace penstock::ops
