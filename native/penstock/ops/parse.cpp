#include "penstock/ops/parse.hpp"

#include <charconv>
#include <cmath>
#include <exception>
#include <stdexcept>
#include <utility>

#include "penstock/graph/row_failure.hpp"
#include "penstock/tuple/borrow_column.hpp"
#include "penstock/tuple/column_values.hpp"
#include "penstock/tuple/composer.hpp"
#include "penstock/tuple/own_schema.hpp"

namespace penstock::ops {

// Rows to be given out, with the bytes of their new columns.
struct Parse::Parsed {
  std::vector<std::int32_t> rows;
  std::string bytes;
  std::vector<std::size_t> ends;
};

namespace {

tuple::Field text_field(const tuple::Schema& input, int column) {
  auto field = tuple::read_fields(input).at(static_cast<std::size_t>(column));
  const bool text = field.kind == tuple::Kind::kBytes || field.kind == tuple::Kind::kLargeBytes;
  if (text && field.dictionary.empty()) return field;
  throw std::invalid_argument("column " + describe(field) + " is no text");
}

template <typename Number>
bool append_number(std::string_view text, std::string& out) {
  // Infinity and NaN have names that logs use for other things.
  const auto digits = text.substr(text.starts_with('-') ? 1 : 0);
  if (digits.empty() || !((digits[0] >= '0' && digits[0] <= '9') || digits[0] == '.')) return false;
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return false;
  tuple::encode_value(number, out);
  return true;
}

std::exception_ptr no_match(std::string_view line) {
  constexpr std::size_t kShown = 200;
  const bool longer = line.size() > kShown;
  return std::make_exception_ptr(std::invalid_argument(
      "the line '" + std::string(line.substr(0, kShown)) + (longer ? "...'" : "'") +
      " does not match the template; on_mismatch='null' or 'drop' lets it pass"));
}

}  // namespace

std::vector<tuple::Field> Parse::columns_of(const std::vector<Piece>& pieces) {
  using tuple::Kind;
  std::vector<tuple::Field> made;
  for (const Piece& piece : pieces) {
    switch (piece.type) {
      case Type::kSkip:
        break;
      case Type::kString:
        made.push_back({.format = "u", .kind = Kind::kBytes});
        break;
      case Type::kInt:
        made.push_back({.format = "i", .kind = Kind::kSigned, .width = 4});
        break;
      case Type::kLong:
        made.push_back({.format = "l", .kind = Kind::kSigned, .width = 8});
        break;
      case Type::kDouble:
        made.push_back({.format = "g", .kind = Kind::kFloat, .width = 8});
        break;
      case Type::kTime:
        made.push_back({.format = "tsu:UTC", .kind = Kind::kSigned, .width = 8});
        break;
    }
  }
  return made;
}

Parse::Parse(const tuple::Schema& input, const Options& options)
    : column_(options.column),
      text_(text_field(input, options.column)),
      template_(options.literals),
      mismatch_(options.mismatch),
      given_(input),
      codec_(tuple::make_schema(columns_of(options.pieces))) {
  if (options.pieces.size() != template_.fields()) {
    throw std::invalid_argument("a template has a literal before each field and one behind them");
  }
  for (const Piece& piece : options.pieces) {
    fields_.push_back({.type = piece.type, .format = {}});
    if (piece.type == Type::kTime) fields_.back().format.emplace(piece.format);
  }
  for (std::size_t i = 0; i < codec_.fields().size(); ++i) tuple::encode_null(no_match_);
}

void Parse::process(const tuple::Tuple& tuple, int /*port*/, graph::Output& output) {
  const tuple::Batch& batch = tuple.batch;
  const auto lines = batch.column(column_);
  std::vector<std::string_view> texts;
  Parsed parsed;
  for (std::int32_t row = 0; row < batch.rows(); ++row) {
    const bool known = !tuple::is_null(text_, lines, row);
    const auto line = known ? tuple::bytes_at(text_, lines, row) : std::string_view();
    if (!known || !parse(line, texts, parsed.bytes)) {
      if (mismatch_ == Mismatch::kDrop) continue;
      if (mismatch_ == Mismatch::kError) {
        give_out(batch, parsed, output);
        throw graph::FailedAtRow(row, no_match(known ? line : "null"));
      }
      parsed.bytes += no_match_;
    }
    parsed.rows.push_back(row);
    parsed.ends.push_back(parsed.bytes.size());
  }
  give_out(batch, parsed, output);
}

bool Parse::parse(std::string_view line, std::vector<std::string_view>& texts,
                  std::string& out) const {
  if (!template_.match(line, texts)) return false;
  const auto before = out.size();
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    if (append(fields_[i], texts[i], out)) continue;
    out.resize(before);
    return false;
  }
  return true;
}

bool Parse::append(const Field& field, std::string_view text, std::string& out) {
  switch (field.type) {
    case Type::kSkip:
      return true;
    case Type::kString:
      tuple::encode_bytes(text, out);
      return true;
    case Type::kInt:
      return append_number<std::int32_t>(text, out);
    case Type::kLong:
      return append_number<std::int64_t>(text, out);
    case Type::kDouble:
      return append_number<double>(text, out);
    case Type::kTime: {
      const auto time = field.format->parse(text);
      if (time) tuple::encode_value(*time, out);
      return time.has_value();
    }
  }
  return false;
}

void Parse::give_out(const tuple::Batch& batch, const Parsed& parsed, graph::Output& output) const {
  if (parsed.rows.empty()) return;
  std::vector<std::string_view> rows;
  rows.reserve(parsed.rows.size());
  std::size_t begin = 0;
  for (const auto end : parsed.ends) {
    rows.push_back(std::string_view(parsed.bytes).substr(begin, end - begin));
    begin = end;
  }
  const tuple::Batch columns = codec_.decode(rows);
  const tuple::Batch given = given_.take(batch, parsed.rows);
  tuple::Composer whole(given, static_cast<std::size_t>(given.columns() + columns.columns()));
  whole.pass_all();
  for (int column = 0; column < columns.columns(); ++column) {
    whole.add(tuple::borrow_column(columns, column));
  }
  output.emit_rows(std::move(whole).finish(), parsed.rows, 0);
}

}  // namespace penstock::ops
