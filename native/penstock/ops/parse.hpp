#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "penstock/graph/operator.hpp"
#include "penstock/ops/text_template.hpp"
#include "penstock/ops/time_format.hpp"
#include "penstock/tuple/field.hpp"
#include "penstock/tuple/gather.hpp"
#include "penstock/tuple/row_codec.hpp"
#include "penstock/tuple/schema.hpp"

namespace penstock::ops {

// Adds columns: the fields of a template, found in a column of text. Stateless, and threads may
// share it.
class Parse final : public graph::Operator {
 public:
  enum class Type { kSkip, kString, kInt, kLong, kDouble, kTime };
  // What to do with a row whose text, or a field of it, is of another form, or null.
  enum class Mismatch { kNull, kDrop, kError };

  struct Piece {
    Type type = Type::kString;
    std::string format;  // of a time
  };
  struct Options {
    int column = 0;
    std::vector<std::string> literals;
    std::vector<Piece> pieces;  // the fields between them
    Mismatch mismatch = Mismatch::kNull;
  };

  // Throws std::invalid_argument for what is no text or no template.
  Parse(const tuple::Schema& input, const Options& options);

  void process(const tuple::Tuple& tuple, int port, graph::Output& output) override;
  [[nodiscard]] bool row_by_row() const noexcept override { return true; }

 private:
  struct Field {
    Type type{};
    std::optional<TimeFormat> format;
  };
  struct Parsed;

  [[nodiscard]] static std::vector<tuple::Field> columns_of(const std::vector<Piece>& pieces);
  // Appends the columns of a line; false, and nothing appended, if it does not match.
  bool parse(std::string_view line, std::vector<std::string_view>& texts, std::string& out) const;
  static bool append(const Field& field, std::string_view text, std::string& out);
  void give_out(const tuple::Batch& batch, const Parsed& parsed, graph::Output& output) const;

  int column_;
  tuple::Field text_;
  TextTemplate template_;
  std::vector<Field> fields_;
  Mismatch mismatch_;
  std::string no_match_;  // the columns of a line that does not match
  tuple::Gatherer given_;
  tuple::RowCodec codec_;
};

}  // namespace penstock::ops
