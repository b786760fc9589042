#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "penstock/tuple/schema.hpp"

namespace penstock::tuple {

// How the values of a column lie in memory. Dates, times and timestamps are integers here, and
// strings are bytes.
enum class Kind {
  kNull,
  kBool,
  kSigned,
  kUnsigned,
  kFloat,
  kDecimal,
  kFixedBytes,
  kBytes,
  kLargeBytes,
  kBytesView,
  kList,
  kLargeList,
  kFixedList,
  kStruct,
  kOther,
};

// A column of a schema, its Arrow format string read once.
struct Field {  // NOLINT(misc-no-recursion): types nest
  std::string name;
  std::string format;
  Kind kind = Kind::kOther;  // of the indices, if there is a dictionary
  std::int64_t width = 0;    // bytes of a value of fixed width, or items of a fixed-size list
  std::vector<Field> children;
  std::vector<Field> dictionary;  // what the indices stand for: none or one
};

// The columns of a record batch's schema. Throws std::invalid_argument if it is not one.
[[nodiscard]] std::vector<Field> read_fields(const Schema& schema);

// For error messages: 'tags' of type list (Arrow format "+l").
[[nodiscard]] std::string describe(const Field& field);

}  // namespace penstock::tuple
