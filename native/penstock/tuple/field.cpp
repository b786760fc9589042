#include "penstock/tuple/field.hpp"

#include <array>
#include <charconv>
#include <span>
#include <stdexcept>
#include <string_view>

namespace penstock::tuple {

namespace {

struct Format {
  std::string_view prefix;
  Kind kind;
  std::int64_t width;
  std::string_view name;
};

// https://arrow.apache.org/docs/format/CDataInterface.html, longer prefixes before shorter ones.
// A width of 0 with a fixed kind is written behind the prefix.
// NOLINTBEGIN(modernize-use-designated-initializers): a table
constexpr auto kFormats = std::to_array<Format>({
    {"n", Kind::kNull, 0, "null"},
    {"b", Kind::kBool, 0, "bool"},
    {"c", Kind::kSigned, 1, "int8"},
    {"s", Kind::kSigned, 2, "int16"},
    {"i", Kind::kSigned, 4, "int32"},
    {"l", Kind::kSigned, 8, "int64"},
    {"C", Kind::kUnsigned, 1, "uint8"},
    {"S", Kind::kUnsigned, 2, "uint16"},
    {"I", Kind::kUnsigned, 4, "uint32"},
    {"L", Kind::kUnsigned, 8, "uint64"},
    {"e", Kind::kFloat, 2, "float16"},
    {"f", Kind::kFloat, 4, "float32"},
    {"g", Kind::kFloat, 8, "float64"},
    {"d:", Kind::kDecimal, 16, "decimal"},
    {"z", Kind::kBytes, 0, "binary"},
    {"Z", Kind::kLargeBytes, 0, "large binary"},
    {"u", Kind::kBytes, 0, "string"},
    {"U", Kind::kLargeBytes, 0, "large string"},
    {"vz", Kind::kBytesView, 16, "binary view"},
    {"vu", Kind::kBytesView, 16, "string view"},
    {"w:", Kind::kFixedBytes, 0, "fixed-size binary"},
    {"tdD", Kind::kSigned, 4, "date"},
    {"tdm", Kind::kSigned, 8, "date"},
    {"tts", Kind::kSigned, 4, "time"},
    {"ttm", Kind::kSigned, 4, "time"},
    {"ttu", Kind::kSigned, 8, "time"},
    {"ttn", Kind::kSigned, 8, "time"},
    {"tiM", Kind::kSigned, 4, "interval of months"},
    {"tiD", Kind::kFixedBytes, 8, "interval of days"},
    {"tin", Kind::kFixedBytes, 16, "interval"},
    {"tD", Kind::kSigned, 8, "duration"},
    {"ts", Kind::kSigned, 8, "timestamp"},
    {"+l", Kind::kList, 0, "list"},
    {"+L", Kind::kLargeList, 0, "large list"},
    {"+m", Kind::kList, 0, "map"},
    {"+w:", Kind::kFixedList, 0, "fixed-size list"},
    {"+s", Kind::kStruct, 0, "struct"},
    {"+v", Kind::kOther, 0, "list view"},
    {"+u", Kind::kOther, 0, "union"},
    {"+r", Kind::kOther, 0, "run-end encoded"},
});
// NOLINTEND(modernize-use-designated-initializers)

const Format* find_format(std::string_view text) noexcept {
  for (const Format& format : kFormats) {
    const bool whole = format.prefix.size() == 1;  // "l" is int64; "lx" is nothing
    if (whole ? text == format.prefix : text.starts_with(format.prefix)) return &format;
  }
  return nullptr;
}

std::int64_t number(const Field& field, std::string_view digits) {
  std::int64_t read = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), read);
  if (error != std::errc() || end != digits.data() + digits.size() || read < 0) {
    throw std::invalid_argument("column '" + field.name + "' has the malformed Arrow format \"" +
                                field.format + "\"");
  }
  return read;
}

// "d:38,10" has 128 bits, "d:9,2,32" says how many it has.
std::int64_t decimal_width(const Field& field) {
  const std::string_view text = field.format;
  const auto scale = text.find(',');
  const auto bits = scale == std::string_view::npos ? scale : text.find(',', scale + 1);
  return bits == std::string_view::npos ? 16 : number(field, text.substr(bits + 1)) / 8;
}

// NOLINTNEXTLINE(misc-no-recursion): types nest
Field read_field(const ArrowSchema& schema) {
  Field field{.name = schema.name != nullptr ? schema.name : "",
              .format = schema.format != nullptr ? schema.format : ""};
  if (const Format* format = find_format(field.format)) {
    field.kind = format->kind;
    field.width = format->width;
    const bool counted = field.kind == Kind::kFixedBytes || field.kind == Kind::kFixedList;
    if (counted && field.width == 0) {
      field.width = number(field, std::string_view(field.format).substr(format->prefix.size()));
    }
    if (field.kind == Kind::kDecimal) field.width = decimal_width(field);
  }
  for (const auto* child : std::span(schema.children, static_cast<std::size_t>(schema.n_children)))
    field.children.push_back(read_field(*child));
  if (schema.dictionary != nullptr) field.dictionary.push_back(read_field(*schema.dictionary));
  return field;
}

}  // namespace

std::vector<Field> read_fields(const Schema& schema) {
  Field root = read_field(schema.arrow());
  if (root.kind != Kind::kStruct) {
    throw std::invalid_argument("the schema of a record batch must be a struct, but it is " +
                                describe(root));
  }
  return std::move(root.children);
}

std::string describe(const Field& field) {
  const Format* format = find_format(field.format);
  const std::string name(format != nullptr ? format->name : "unknown");
  const std::string type = field.dictionary.empty() ? name : "dictionary";
  return "'" + field.name + "' of type " + type + " (Arrow format \"" + field.format + "\")";
}

}  // namespace penstock::tuple
