#include "bench/loops/library_barrier.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "penstock/ops/library_loop.hpp"
#include "penstock/tuple/field.hpp"

// The engine has told of Arrow's structs already.
#define ARROW_C_DATA_INTERFACE  // NOLINT(cppcoreguidelines-macro-usage): as Arrow's pages say
#include "penstock_loop.hpp"

namespace {

// NOLINTNEXTLINE(cppcoreguidelines-avoid-reference-coroutine-parameters): they outlive the loop
penstock::Loop barrier(penstock::Ports& ports) {
  while (co_await ports.all({.port = 0, .rows = 1}, {.port = 1, .rows = 1})) {
    const std::int64_t rows = std::min(ports.rows(0), ports.rows(1));
    penstock::Rows left = ports.take(0, rows);
    ports.push(beside(std::move(left), ports.take(1, rows)));
  }
}
PENSTOCK_LOOP(barrier, "left: value bigint; right: value bigint", "out: left bigint, right bigint");

}  // namespace

namespace penstock::bench::loops {

std::unique_ptr<graph::Operator> library_barrier(loop::LoopOperator::Options options) {
  ops::LibraryLoop library{.where = "bench:barrier", .functions = penstock_loop_barrier};
  auto& out = library.outputs.emplace_back();
  for (const auto& input : options.inputs) {
    const auto fields = tuple::read_fields(input.schema);
    library.inputs.push_back({.columns = {0}, .fields = fields});
    out.fields.push_back(fields.front());
  }
  return ops::make_library_loop(std::move(options), std::move(library));
}

}  // namespace penstock::bench::loops
