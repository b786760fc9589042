#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "penstock/base/cache_line.hpp"

#include "bench/ordered/queries/row.hpp"

namespace penstock::bench::queries {

enum class Kind { kStateless, kKeyed, kStateful };

// An operator of a query. Only a stateful one is shown marks.
struct Step {
  // Makes `out` of a row, from which it may move. For a partition, one thread at a time.
  using Work = std::function<void(std::size_t partition, Row& row, Unit& out)>;

  Kind kind;
  Work work;
  std::function<std::int64_t(const Row& row)> key = nullptr;  // of a keyed one
  std::function<void(Unit& out)> finish = nullptr;            // at the end of the input, if needed
};

// What a keyed operator remembers: one State for each partition, with all of its keys. Copies of a
// step share it.
template <typename State>
class Parts {
 public:
  explicit Parts(std::size_t partitions)
      : parts_(std::make_shared<std::vector<Part>>(partitions)) {}

  [[nodiscard]] State& operator[](std::size_t partition) const noexcept {
    return (*parts_)[partition].state;
  }
  [[nodiscard]] std::size_t size() const noexcept { return parts_->size(); }

 private:
  // On cache lines of its own: neighbours are worked on by different threads.
  struct alignas(base::kCacheLine) Part {
    State state;
  };
  std::shared_ptr<std::vector<Part>> parts_;
};

}  // namespace penstock::bench::queries
