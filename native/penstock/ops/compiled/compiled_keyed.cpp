#include "penstock/ops/compiled/compiled_keyed.hpp"

#include <stdexcept>
#include <utility>

#include "penstock/ops/compiled/merged_rows.hpp"
#include "penstock/tuple/key_writer.hpp"

namespace penstock::ops {

// A tuple on its way through the parts.
struct CompiledKeyed::Kept final : graph::Pieces {
  explicit Kept(int parts) : made(static_cast<std::size_t>(parts)) {}

  CutKeys keys;
  std::vector<penstock_column> shown;
  std::vector<MadeRows> made;  // by part
  MergedRows merged;
};

CompiledKeyed::CompiledKeyed(const tuple::Schema& input, CompiledFunction function,
                             std::int64_t record_bytes, const KeyedParts::Options& options)
    : function_(std::move(function)),
      record_bytes_(record_bytes),
      parts_(make_parts(input, options)) {}

KeyedParts CompiledKeyed::make_parts(const tuple::Schema& input,
                                     const KeyedParts::Options& options) {
  if (record_bytes_ < 1) {
    throw std::invalid_argument("a compiled function that goes by key remembers a byte at least");
  }
  const auto make = [this] {
    auto records = std::make_unique<StateRecords>(record_bytes_);
    records_.push_back(records.get());
    std::vector<std::unique_ptr<KeyStates>> states;
    states.push_back(std::move(records));
    return states;
  };
  const tuple::KeyWriter writer(input, options.keys);
  return {input, options, {{StateRecords::saved_field(record_bytes_, writer.fields())}}, make};
}

std::unique_ptr<graph::Pieces> CompiledKeyed::cut(const tuple::Tuple& tuple,
                                                  const graph::Division& /*division*/,
                                                  std::unique_ptr<graph::Pieces> used) const {
  if (used == nullptr) used = std::make_unique<Kept>(parts());
  Kept& kept = static_cast<Kept&>(*used);  // NOLINT(*-downcast): nobody else makes pieces
  parts_.cut(tuple.batch, kept.keys);
  kept.shown = function_.show(tuple.batch);
  for (MadeRows& made : kept.made) made.clear();
  return used;
}

void CompiledKeyed::process_part(int part, const tuple::Tuple& tuple, graph::Pieces& pieces) {
  Kept& kept = static_cast<Kept&>(pieces);  // NOLINT(*-downcast): cut() made them
  const auto rows = kept.keys.cut.rows_of(part);
  if (rows.empty()) return;
  parts_.number_keys(part, kept.keys);
  const auto at = static_cast<std::size_t>(part);
  const CompiledFunction::States states{
      .records = records_[at]->data(), .record_bytes = record_bytes_, .keys = kept.keys.ids};
  function_.call(kept.shown, tuple.batch.rows(), rows, states, kept.made[at]);
}

void CompiledKeyed::join(const tuple::Tuple& tuple, std::int64_t rows, graph::Pieces& pieces,
                         graph::Output& output) const {
  Kept& kept = static_cast<Kept&>(pieces);  // NOLINT(*-downcast): cut() made them
  if (parts() == 1) {
    function_.emit(tuple.batch, kept.made[0], rows, output);
  } else if (function_.passes_on()) {
    kept.merged.merge_passed(kept.made, kept.keys.cut.part_of(), rows);
    function_.pass_on(tuple.batch, kept.merged.from(), output);
  } else {
    kept.merged.merge(kept.made, kept.keys.cut.part_of(), rows);
    if (kept.merged.from().empty()) return;
    std::vector<tuple::Batch> made;
    made.reserve(kept.made.size());
    for (const MadeRows& each : kept.made) {
      if (!each.from().empty()) made.push_back(each.columns(each.before(rows)));
    }
    output.emit_rows(function_.gather(made, kept.merged.rows()), kept.merged.from(), 0);
  }
}

}  // namespace penstock::ops
