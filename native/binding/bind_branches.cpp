#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <tuple>
#include <utility>
#include <vector>

#include "penstock/ops/asof_join.hpp"
#include "penstock/ops/join.hpp"
#include "penstock/ops/ordered_union.hpp"
#include "penstock/ops/pattern.hpp"
#include "penstock/ops/tag.hpp"
#include "penstock/region/branches.hpp"
#include "penstock/region/circle.hpp"
#include "penstock/tuple/field.hpp"
#include "penstock/tuple/own_array.hpp"

#include "binding/bindings.hpp"
#include "binding/chains.hpp"
#include "binding/library_arguments.hpp"
#include "binding/operator_handle.hpp"

namespace py = pybind11;

namespace penstock::binding {

namespace {

// For each branch a row that says that it has ended: the tag ~n for branch n, and nothing else.
std::vector<tuple::Batch> closings_of(const tuple::Schema& tagged, std::size_t branches) {
  const std::size_t columns = tuple::read_fields(tagged).size() - 1;
  std::vector<tuple::Batch> closings;
  for (std::size_t branch = 0; branch < branches; ++branch) {
    tuple::OwnArray nothing(1);
    nothing.skip_buffer();
    const ops::Tag closing(tagged, static_cast<std::int8_t>(~branch),
                           std::vector<int>(columns, ops::Tag::kNothing));
    closings.push_back(closing.tagged(std::move(nothing).finish_batch()));
  }
  return closings;
}

OperatorHandle branches(const std::vector<Chain>& described, std::uintptr_t output, bool closes) {
  const tuple::Schema made = schema_at(output);
  auto closings = closes ? closings_of(made, described.size()) : std::vector<tuple::Batch>();
  return OperatorHandle(
      std::make_unique<region::Branches>(made, channels_of(described), std::move(closings)));
}

OperatorHandle circle(const Chain& members, const Chain& out, const Chain& back) {
  return OperatorHandle(std::make_unique<region::Circle>(
      members_of(members),
      region::Circle::Options{.out = members_of(out), .back = members_of(back)}));
}

OperatorHandle tag(std::uintptr_t input, std::uintptr_t output, int branch,
                   std::vector<int> columns) {
  (void)schema_at(input);
  return OperatorHandle(std::make_unique<ops::Tag>(
      schema_at(output), static_cast<std::int8_t>(branch), std::move(columns)));
}

// The columns of the left rows, those of the right rows, and the time of both.
using Sides = std::tuple<std::vector<int>, std::vector<int>, int>;

ops::TwoSides two_sides(const std::vector<int>& keys, const Sides& sides) {
  const auto& [left, right, time] = sides;
  return {.keys = keys, .left = left, .right = right, .time = time};
}

OperatorHandle join(std::uintptr_t input, std::uintptr_t output, const std::vector<int>& keys,
                    const Sides& sides, std::optional<std::int64_t> within, bool keeps_left,
                    std::size_t most_bytes, const SharedBytes* shared) {
  using ops::Join;
  const auto unmatched = keeps_left ? Join::Unmatched::kLeftLeave : Join::Unmatched::kDropped;
  std::optional<Join::Span> span;
  if (within) span = Join::Span{.within = *within};
  return OperatorHandle(std::make_unique<Join>(schema_at(input), schema_at(output),
                                               two_sides(keys, sides), span, unmatched,
                                               keyed_options(keys, most_bytes, shared)));
}

OperatorHandle asof_join(std::uintptr_t input, std::uintptr_t output, const std::vector<int>& keys,
                         const Sides& sides, std::optional<std::int64_t> tolerance,
                         std::size_t most_bytes, const SharedBytes* shared) {
  return OperatorHandle(std::make_unique<ops::AsofJoin>(schema_at(input), schema_at(output),
                                                        two_sides(keys, sides), tolerance,
                                                        keyed_options(keys, most_bytes, shared)));
}

OperatorHandle ordered_union(std::uintptr_t input, std::uintptr_t output, int branches,
                             int order_column, std::size_t most_bytes, const SharedBytes* shared) {
  return OperatorHandle(std::make_unique<ops::OrderedUnion>(schema_at(input), schema_at(output),
                                                            branches, order_column,
                                                            keyed_options({}, most_bytes, shared)));
}

// Of a step: the predicate, the least and the most rows, and whether it follows at once.
using Step = std::tuple<int, int, int, bool>;

OperatorHandle pattern(std::uintptr_t input, std::uintptr_t output, const std::vector<int>& keys,
                       int time, std::vector<int> predicates, const std::vector<Step>& steps,
                       std::optional<std::int64_t> within, std::size_t most_bytes,
                       const SharedBytes* shared) {
  ops::Pattern::Shape shape{
      .steps = {}, .predicates = std::move(predicates), .time = time, .within = within};
  for (const auto& [predicate, least, most, strict] : steps) {
    shape.steps.push_back({.predicate = predicate, .least = least, .most = most, .strict = strict});
  }
  return OperatorHandle(std::make_unique<ops::Pattern>(schema_at(input), schema_at(output),
                                                       std::move(shape),
                                                       keyed_options(keys, most_bytes, shared)));
}

}  // namespace

void bind_branches(py::module_& m) {
  const py::arg input("input_schema_address");
  const py::arg output("output_schema_address");
  const py::arg most_bytes("most_bytes");
  const py::arg shared("shared");
  m.def("branches", &branches, py::arg("branches"), output, py::kw_only(), py::arg("closes"));
  m.def("circle", &circle, py::arg("members"), py::kw_only(), py::arg("out"), py::arg("back"));
  m.def("tag", &tag, input, output, py::kw_only(), py::arg("branch"), py::arg("columns"));
  m.def("join", &join, input, output, py::kw_only(), py::arg("keys"), py::arg("sides"),
        py::arg("within"), py::arg("keeps_left"), most_bytes, shared);
  m.def("asof_join", &asof_join, input, output, py::kw_only(), py::arg("keys"), py::arg("sides"),
        py::arg("tolerance"), most_bytes, shared);
  m.def("ordered_union", &ordered_union, input, output, py::kw_only(), py::arg("branches"),
        py::arg("order_column"), most_bytes, shared);
  m.def("pattern", &pattern, input, output, py::kw_only(), py::arg("keys"), py::arg("time"),
        py::arg("predicates"), py::arg("steps"), py::arg("within"), most_bytes, shared);
}

}  // namespace penstock::binding
