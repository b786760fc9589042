#pragma once

#include <string>
#include <string_view>

#include "penstock/tuple/row_codec.hpp"

namespace penstock::ops {

// Reads what an operator saved of a key: values that are there, one behind the other.
class SavedValues {
 public:
  explicit SavedValues(std::string_view saved) noexcept : reader_(saved) {}

  template <typename Value>
  [[nodiscard]] Value next() noexcept {
    (void)reader_.has_value();
    return reader_.read<Value>();
  }
  [[nodiscard]] std::string next_bytes() {
    (void)reader_.has_value();
    return std::string(reader_.read_bytes());
  }

 private:
  tuple::ValueReader reader_;
};

}  // namespace penstock::ops
