// The order of values: numbers numerically, strings bytewise, false before true.
//
// Only values of the same type are ordered; integers and decimals are one type. Decimals are compared digit
// by digit, never as doubles, because different numbers must stay different (scalar.h).
#pragma once

#include <compare>

#include "history/scalar.h"

namespace assay {

enum class ScalarType : std::uint8_t { Null, Boolean, Number, String, Row };

inline constexpr ScalarType type_of(Scalar scalar) {
  switch (scalar.kind) {
    case ScalarKind::Null: return ScalarType::Null;
    case ScalarKind::Boolean: return ScalarType::Boolean;
    case ScalarKind::Integer:
    case ScalarKind::Decimal: return ScalarType::Number;
    case ScalarKind::String: return ScalarType::String;
    case ScalarKind::Row: break;
  }
  return ScalarType::Row;
}

std::string_view name(ScalarType type);  // "number", ...

// Compares two numbers, at least one of them a decimal.
std::strong_ordering compare_decimals(const ScalarPool& pool, Scalar a, Scalar b);

// Compares two values of the same type, neither null nor rows.
inline std::strong_ordering compare(const ScalarPool& pool, Scalar a, Scalar b) {
  if (a.is_integer() && b.is_integer()) return a.as_integer() <=> b.as_integer();
  if (a.is_string()) return pool.text(a) <=> pool.text(b);
  if (a.kind == ScalarKind::Boolean) return a.bits <=> b.bits;
  return compare_decimals(pool, a, b);
}

}  // namespace assay
