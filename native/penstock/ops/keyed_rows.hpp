#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "penstock/graph/operator.hpp"
#include "penstock/ops/key_numbers.hpp"
#include "penstock/region/keyed_state.hpp"
#include "penstock/tuple/gather.hpp"
#include "penstock/tuple/row_codec.hpp"

namespace penstock::ops {

// The base of operators that go row by row and remember something of the key of each: it numbers
// the keys, gives out what was made, moves and saves what is known, and counts its memory. Without
// key columns there is one key, number 0, that all rows have.
class KeyedRows : public graph::Operator, public region::KeyedState {
 public:
  struct Options {
    std::vector<int> keys;
    std::size_t most_bytes = 0;  // of memory for what is known of the keys; 0 for any
    // Counts the memory of several that share the limit; its own if there is none.
    std::shared_ptr<std::atomic<std::size_t>> bytes;
  };

  void process(const tuple::Tuple& tuple, int port, graph::Output& output) final;
  [[nodiscard]] bool row_by_row() const noexcept override { return true; }
  void finish(graph::Output& output) final;

  [[nodiscard]] std::vector<region::Package> donate(const region::HashRing& ring, int self) final;
  void collect(const tuple::Batch& rows) final;
  [[nodiscard]] tuple::Batch snapshot() const final;
  [[nodiscard]] tuple::Schema package_schema() const final;
  [[nodiscard]] std::size_t keys() const noexcept final { return numbers_.size(); }

 protected:
  // Throws std::invalid_argument, naming the column, for a key that cannot be one. Operators that
  // pass on rows given have one schema.
  KeyedRows(const tuple::Schema& schema, const Options& options);
  // Throws also for a column made that cannot be.
  KeyedRows(const tuple::Schema& input, const tuple::Schema& output, const Options& options);

  // What comes of a tuple.
  class Made {
   public:
    // By operators with one schema.
    void pass_on(std::int32_t row) { from_.push_back(row); }
    // By all others: `row` as bytes of the output's RowCodec, made because of row `from`, which
    // does not descend.
    void add(std::string_view row, std::int32_t from);

   private:
    friend class KeyedRows;
    std::string bytes_;
    std::vector<std::size_t> ends_;
    std::vector<std::int32_t> from_;
    std::int32_t least_from_ = 0;  // at the end there are no rows, and keys are counted instead
  };

  // Works on the rows of a batch in their order; ids[row] is the number of a row's key. A row that
  // cannot be worked on is told by graph::FailedAtRow; what was made before it is given out.
  virtual void work(const tuple::Batch& batch, std::span<const std::uint32_t> ids, Made& made) = 0;
  // The end of the input: rows that come of what is still known of a key, made because of row 0.
  virtual void flush(std::uint32_t /*id*/, Made& /*made*/) {}
  // Numbers below `limit` are used from now on; new ones begin with nothing known.
  virtual void reserve(std::uint32_t limit) = 0;
  // Appends what is known of a key, and takes it back, on another channel or in another run.
  virtual void save(std::uint32_t id, std::string& out) const = 0;
  virtual void restore(std::uint32_t id, std::string_view saved) = 0;
  // The number may be given to another key.
  virtual void forget(std::uint32_t id) noexcept = 0;
  // Memory taken by what is known.
  [[nodiscard]] virtual std::size_t state_bytes() const noexcept = 0;
  // What of it is for one key, as far as keys differ in it; asked when there is too much.
  [[nodiscard]] virtual std::size_t bytes_of(std::uint32_t /*id*/) const noexcept { return 0; }

 private:
  void give_out(const tuple::Batch& given, const Made& made, graph::Output& output) const;
  [[nodiscard]] tuple::Batch decoded(const Made& made) const;
  [[nodiscard]] tuple::Batch packed(const KeyNumbers::Listed& listed,
                                    std::span<const std::int32_t> rows) const;
  std::size_t count_memory() noexcept;
  void check_memory();
  [[nodiscard]] std::string largest_keys() const;

  KeyNumbers numbers_;
  tuple::Gatherer given_;                   // of rows given
  std::unique_ptr<tuple::RowCodec> codec_;  // of rows made; null where none are
  tuple::Schema package_schema_;
  std::size_t most_bytes_;
  std::shared_ptr<std::atomic<std::size_t>> bytes_;
  std::size_t known_bytes_ = 0;  // what was counted for it so far
  std::vector<std::uint32_t> ids_;
};

}  // namespace penstock::ops
