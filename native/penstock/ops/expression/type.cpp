#include "penstock/ops/expression/type.hpp"

#include <stdexcept>
#include <string>

namespace penstock::ops::expression {

namespace {

constexpr std::string_view kLetters = "bcsilCSILfg";  // in the order of Type

tuple::Kind kind_of(Type type) noexcept {
  if (type == Type::kBool) return tuple::Kind::kBool;
  if (type >= Type::kFloat32) return tuple::Kind::kFloat;
  return type >= Type::kUInt8 ? tuple::Kind::kUnsigned : tuple::Kind::kSigned;
}

}  // namespace

Type type_of(std::string_view letter) {
  const auto place = kLetters.find(letter);
  if (letter.size() == 1 && place != std::string_view::npos) return static_cast<Type>(place);
  throw std::invalid_argument("an expression computes with the types " + std::string(kLetters) +
                              " of Arrow's C data interface, not with '" + std::string(letter) +
                              "'");
}

bool stores(const tuple::Field& field, Type type) noexcept {
  if (!field.dictionary.empty() || field.kind != kind_of(type)) return false;
  return type == Type::kBool || field.width == width_of(type);
}

}  // namespace penstock::ops::expression
