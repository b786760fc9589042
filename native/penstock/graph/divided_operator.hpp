#pragma once

#include <cstdint>
#include <memory>

#include "penstock/graph/operator.hpp"
#include "penstock/graph/row_failure.hpp"

namespace penstock::graph {

// What a divided operator keeps of one tuple between cutting it and joining its parts.
class Pieces {
 public:
  Pieces() = default;
  Pieces(const Pieces&) = delete;
  Pieces& operator=(const Pieces&) = delete;
  Pieces(Pieces&&) = delete;
  Pieces& operator=(Pieces&&) = delete;
  virtual ~Pieces() = default;
};

// How a tuple is to be cut.
struct Division {
  int width = 1;             // so many of the parts, the first ones, are in use
  std::uint64_t serial = 0;  // of the run: counts up, for those who take turns
};

// An operator whose memory is divided into parts that know nothing of each other. A tuple is cut,
// by key as a rule; each part works on its own rows, and sees those of one tuple before those of
// the next; and what the parts made is joined by the input row it came from. The result is the same
// for any number of parts, and that of one thread working row by row.
class DividedOperator : public Operator {
 public:
  [[nodiscard]] virtual int parts() const noexcept = 0;
  // As in_lane(), which goes for the parts. Joining never is in the lane.
  [[nodiscard]] virtual bool cut_in_lane() const noexcept { return false; }

  // On any number of threads at once. `used` is what an earlier tuple left, to be used again; null
  // at first.
  [[nodiscard]] virtual std::unique_ptr<Pieces> cut(const tuple::Tuple& tuple,
                                                    const Division& division,
                                                    std::unique_ptr<Pieces> used) const = 0;

  // One thread at a time for each part, in the order of the tuples. Throws FailedAtRow.
  virtual void process_part(int part, const tuple::Tuple& tuple, Pieces& pieces) = 0;

  // On any number of threads at once: emits what the first `rows` rows of the tuple made.
  virtual void join(const tuple::Tuple& tuple, std::int64_t rows, Pieces& pieces,
                    Output& output) const = 0;

  // All of it, on one thread.
  void process_whole(const tuple::Tuple& tuple, const Division& division, Output& output);
  void process(const tuple::Tuple& tuple, int port, Output& output) final;

 private:
  std::unique_ptr<Pieces> own_;
};

// What of a resize a run takes through the parts.
enum class Resizing {
  kWhole,  // each part first gives what it no longer owns, and then takes what is there for it
  kGive,
  kTake,
};

// A divided operator whose number of parts in use changes while it runs. A run without rows, the
// pulse (G11), visits every part in the order of the tuples, so each gives when all rows before the
// change are through, and takes before any row behind it comes (A23).
class ResizableOperator : public DividedOperator {
 public:
  struct Widths {
    int least = 1;
    int most = 1;
    int first = 1;
  };
  [[nodiscard]] virtual Widths widths() const noexcept = 0;

  // What a resize takes along. By the feeder.
  [[nodiscard]] virtual std::unique_ptr<Pieces> begin_resize(int from, int to) = 0;
  // Like process_part(). Throws what the operator throws; then what was given stays in `moving`.
  virtual void give(int part, Pieces& moving) = 0;
  virtual void take(int part, Pieces& moving) = 0;

  // How long runs have waited because a part was busy with another one (G3), since the beginning.
  // From any thread.
  [[nodiscard]] virtual std::int64_t waited_ns(int part) const noexcept = 0;
};

}  // namespace penstock::graph
