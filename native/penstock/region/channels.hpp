#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "penstock/graph/divided_operator.hpp"
#include "penstock/region/backing_store.hpp"
#include "penstock/region/channel.hpp"
#include "penstock/region/keyed_state.hpp"
#include "penstock/region/merger.hpp"
#include "penstock/region/splitter.hpp"
#include "penstock/tuple/gather.hpp"
#include "penstock/tuple/schema.hpp"

namespace penstock::region {

// Operators that are replicated together, each replica on a channel of its own (G1, G2). Every run
// passes all channels, also those that have no row of it, so the merger never waits for a channel
// that drops what it gets: that is what the paper has pulses for.
//
// The number of channels in use changes while rows flow: then the keys of a channel that comes or
// goes move with what is known of them, and no others do (G14).
class Channels final : public graph::ResizableOperator {
 public:
  // kStream is exact; kKey is the order of the rows of each key only, and spares the merging.
  enum class Order { kStream, kKey };

  struct Options {
    Widths widths;
    Order order = Order::kStream;
    std::function<std::unique_ptr<BackingStore>()> make_store = [] {
      return std::make_unique<MemoryStore>();
    };
  };

  // `widths.most` channels. Throws std::invalid_argument, naming the operator, if one remembers
  // something and rows are not split by key.
  Channels(const tuple::Schema& input, const tuple::Schema& output, Splitter splitter,
           std::vector<Channel> channels, Options options);
  Channels(const Channels&) = delete;
  Channels& operator=(const Channels&) = delete;
  Channels(Channels&&) = delete;
  Channels& operator=(Channels&&) = delete;
  ~Channels() override;

  [[nodiscard]] int parts() const noexcept override { return options_.widths.most; }
  [[nodiscard]] bool in_lane() const noexcept override { return in_lane_; }
  [[nodiscard]] bool cut_in_lane() const noexcept override { return splitter_.in_lane(); }
  [[nodiscard]] bool row_by_row() const noexcept override { return row_by_row_; }
  [[nodiscard]] std::unique_ptr<graph::Pieces> cut(
      const tuple::Tuple& tuple, const graph::Division& division,
      std::unique_ptr<graph::Pieces> used) const override;
  void process_part(int part, const tuple::Tuple& tuple, graph::Pieces& pieces) override;
  void join(const tuple::Tuple& tuple, std::int64_t rows, graph::Pieces& pieces,
            graph::Output& output) const override;
  void finish(graph::Output& output) override;

  [[nodiscard]] Widths widths() const noexcept override { return options_.widths; }
  [[nodiscard]] std::unique_ptr<graph::Pieces> begin_resize(int from, int to) override;
  void give(int part, graph::Pieces& moving) override;
  void take(int part, graph::Pieces& moving) override;
  [[nodiscard]] std::int64_t waited_ns(int part) const noexcept override;

  // What each channel knows, operator by operator. While nothing is under way.
  void for_each_state(const VisitState& visit);

 private:
  struct Kept;
  struct Moving;
  struct Replica;

  void check_members() const;
  [[nodiscard]] Fragment rows_of(int part, const tuple::Tuple& tuple, const Kept& kept) const;

  Options options_;
  Splitter splitter_;
  tuple::Gatherer gatherer_;
  Merger merger_;
  bool in_lane_ = false;     // one of its members is
  bool row_by_row_ = false;  // so are its members, and what says where rows go
  std::vector<std::unique_ptr<Replica>> replicas_;
};

}  // namespace penstock::region
