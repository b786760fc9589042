#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "penstock/tuple/batch.hpp"
#include "penstock/tuple/concat.hpp"
#include "penstock/tuple/schema.hpp"

namespace penstock::engine {

// What a flow made and nobody has taken yet. What came of the tuples of one input batch is put
// together again: handing a batch over costs the caller several microseconds, however short it is.
class Outbox {
 public:
  // Joined batches get no longer than this by another one.
  static constexpr std::int64_t kMostRows = 65'536;

  // Without a schema, or where columns cannot be joined, every batch stays as it is.
  explicit Outbox(const std::optional<tuple::Schema>& schema);

  // What came of a tuple; `complete` for the last one of its input batch. Behind a batch that
  // is nothing, a mark, another one begins.
  void put(std::vector<tuple::Batch> made, bool complete);
  // Nothing more belongs to what is there.
  void complete();
  [[nodiscard]] bool empty() const noexcept { return ready_.empty(); }
  // Only if not empty().
  [[nodiscard]] tuple::Batch take();
  void clear() noexcept;

 private:
  std::optional<tuple::Concatenator> concatenator_;
  std::vector<tuple::Batch> pieces_;
  std::int64_t rows_ = 0;
  std::deque<tuple::Batch> ready_;
};

}  // namespace penstock::engine
