#include "penstock/ops/compiled/compiled_function.hpp"

#include <array>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

#include "penstock/base/check.hpp"
#include "penstock/graph/row_failure.hpp"
#include "penstock/ops/compiled/readable.hpp"

namespace penstock::ops {

namespace {

std::optional<std::vector<tuple::Field>> fields_of(const std::optional<tuple::Schema>& output) {
  if (!output) return std::nullopt;
  return frame_fields(*output, all_columns(*output));
}

std::vector<std::size_t> never_null_in(const std::optional<tuple::Schema>& output) {
  constexpr std::uint64_t kNullable = 2;  // ARROW_FLAG_NULLABLE
  std::vector<std::size_t> found;
  if (!output) return found;
  for (std::int64_t i = 0; i < output->arrow().n_children; ++i) {
    const auto flags = static_cast<std::uint64_t>(output->arrow().children[i]->flags);
    if ((flags & kNullable) == 0) {
      found.push_back(static_cast<std::size_t>(i));
    }
  }
  return found;
}

graph::FailedAtRow null_at(std::int32_t row, const tuple::Field& field) {
  return {row, std::make_exception_ptr(std::runtime_error("column '" + field.name +
                                                          "' is NOT NULL, and a null was made"))};
}

graph::FailedAtRow failure_of(const penstock_frame& frame, const MadeRows& made) {
  std::string text = readable(frame.message);
  if (text.empty()) text = made.refusal();
  if (text.empty()) text = "the compiled function failed and does not say why";
  if (frame.failed < 0 || frame.failed >= frame.rows) {
    text += " (it names row " + std::to_string(frame.failed) + " of " + std::to_string(frame.rows) +
            " that it was given)";
    throw std::logic_error(text);
  }
  const std::int64_t row = frame.row == nullptr ? frame.failed : frame.row[frame.failed];
  return {row, std::make_exception_ptr(std::runtime_error(text))};
}

}  // namespace

CompiledFunction::CompiledFunction(const tuple::Schema& input,
                                   const std::optional<tuple::Schema>& output, Options options)
    : columns_(input, options.columns ? std::move(*options.columns) : all_columns(input)),
      output_(fields_of(output)),
      gatherer_(output ? *output : input),
      never_null_(never_null_in(output)),
      process_(options.process),
      owner_(std::move(options.owner)) {
  PENSTOCK_CHECK(process_ != nullptr, "a compiled function has an address");
}

void CompiledFunction::call(std::span<const penstock_column> shown, std::int64_t all_rows,
                            std::optional<std::span<const std::int32_t>> rows, const States& states,
                            MadeRows& made) const {
  std::array<char, PENSTOCK_MESSAGE_BYTES> message;  // NOLINT(*-member-init): the first 0 ends it
  message.front() = '\0';
  penstock_frame frame{};
  frame.rows = rows ? std::ssize(*rows) : all_rows;
  // Without a list a function can go from row to row faster.
  if (frame.rows != all_rows) frame.row = rows->data();
  frame.columns = shown.data();
  frame.states = states.records;
  frame.keys = states.keys.data();
  frame.state_bytes = states.record_bytes;
  frame.message = message.data();
  const std::span<const tuple::Field> fields = output_ ? *output_ : std::span<const tuple::Field>();
  made.begin(fields, frame.rows, frame);
  const penstock_frame given = frame;
  const bool failed = process_(&frame) != 0;
  // Only what it is to say is taken from it.
  frame.rows = given.rows;
  frame.row = given.row;
  frame.message = message.data();
  message.back() = '\0';
  made.finish(frame);
  graph::FirstFailure failure;
  if (failed) failure.add(failure_of(frame, made));
  for (const std::size_t column : never_null_) {
    if (const auto row = made.null_from(column)) failure.add(null_at(*row, fields[column]));
  }
  failure.raise();
}

void CompiledFunction::emit(const tuple::Batch& batch, const MadeRows& made, std::int64_t end,
                            graph::Output& output) const {
  const std::int64_t rows = made.before(end);
  if (rows == 0) return;
  const auto from = made.from().first(static_cast<std::size_t>(rows));
  if (passes_on()) {
    pass_on(batch, from, output);
  } else {
    output.emit_rows(made.columns(rows), from, 0);
  }
}

void CompiledFunction::pass_on(const tuple::Batch& batch, std::span<const std::int32_t> rows,
                               graph::Output& output) const {
  if (!rows.empty()) output.emit_rows(gatherer_.take(batch, rows), rows, 0);
}

}  // namespace penstock::ops
