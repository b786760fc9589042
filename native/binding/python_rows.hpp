#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <pybind11/pybind11.h>
#include <utility>
#include <vector>

#include "penstock/graph/operator.hpp"
#include "penstock/region/keyed_state.hpp"

namespace penstock::binding {

// What an operator that works row by row calls in Python; none where there is nothing to call.
struct RowCallables {
  // process(in_address, out_address, rows_address) -> rows, or (rows, failed row, exception)
  //   takes the array at the first address over. If it made any rows it exports a batch to the
  //   second address and to the third an int32 array: the row that each of them came from, which
  //   does not descend. The second form is for a row that it could not work on: only what the rows
  //   before it made is exported.
  pybind11::function process;
  // finish(out_address) -> rows, called once at the end.
  pybind11::object finish = pybind11::none();
  // donate(channels, self, out_address) -> list of (channel, rows)
  //   takes out what belongs to other channels than `self` when there are so many, and exports it
  //   as one batch, in the order of the list; nothing is exported when the list is empty. If it
  //   raises, nothing was forgotten.
  pybind11::object donate = pybind11::none();
  pybind11::object collect = pybind11::none();   // collect(in_address)
  pybind11::object snapshot = pybind11::none();  // snapshot(out_address)
  pybind11::object schema = pybind11::none();    // schema(out_address), of what is donated
  pybind11::object keys = pybind11::none();      // keys() -> int
};

// An operator that says from which row of the tuple each row it makes came.
class PythonRows : public graph::Operator {
 public:
  explicit PythonRows(RowCallables body);

  void process(const tuple::Tuple& tuple, int port, graph::Output& output) override;
  void finish(graph::Output& output) override;
  [[nodiscard]] bool in_lane() const noexcept override { return in_lane_; }

 protected:
  [[nodiscard]] const RowCallables& body() const noexcept { return *body_; }

 private:
  std::shared_ptr<RowCallables> body_;
  bool in_lane_;
};

// One that remembers something of each key as well.
class PythonKeyed final : public PythonRows, public region::KeyedState {
 public:
  explicit PythonKeyed(RowCallables body) : PythonRows(std::move(body)) {}

  [[nodiscard]] std::vector<region::Package> donate(const region::HashRing& ring,
                                                    int self) override;
  void collect(const tuple::Batch& rows) override;
  [[nodiscard]] tuple::Batch snapshot() const override;
  [[nodiscard]] tuple::Schema package_schema() const override;
  [[nodiscard]] std::size_t keys() const noexcept override;
};

// The channel of every row's key when there are so many channels; takes schema and array over.
[[nodiscard]] std::vector<std::int32_t> channels_of(std::uintptr_t schema_address,
                                                    std::uintptr_t array_address,
                                                    const std::vector<int>& keys, int channels);

}  // namespace penstock::binding
