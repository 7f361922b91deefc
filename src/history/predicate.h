// A predicate as the input wrote it: a flat tree in prefix order.
//
// `["and", ["=", "colour", "red"], ["<", "value", 7]]` is
//     And/2  Equal/1(colour) Constant(red)  Less/1(value) Constant(7)
// A node is followed by its `operands`: predicates after And, Or and Not, constants after the others. The
// depth is at most kDeepestPredicate, so walking the tree may recurse.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "history/scalar.h"

namespace assay {

enum class PredicateOp : std::uint8_t {
  And,
  Or,
  Not,
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Between,
  In,
  Like,
  IsNull,
  Constant,
};

struct PredicateNode {
  PredicateOp op = PredicateOp::Constant;
  std::uint32_t operands = 0;
  Scalar scalar;  // the column's name (a string), or the constant
  friend bool operator==(const PredicateNode&, const PredicateNode&) = default;
};

using Predicate = std::span<const PredicateNode>;

inline constexpr int kDeepestPredicate = 64;

// Whether the operator combines predicates. The others compare a column with constants.
inline constexpr bool is_connective(PredicateOp op) { return op <= PredicateOp::Not; }

// An operator's name in the native format, and its number of operands (nullopt: any number that takes()
// allows).
struct PredicateSpelling {
  PredicateOp op;
  std::string_view name;
  std::optional<std::uint32_t> operands;
};
std::span<const PredicateSpelling> predicate_spellings();
const PredicateSpelling* find_predicate(std::string_view name);
std::string_view spelling(PredicateOp op);
bool takes(PredicateOp op, std::size_t operands);

// Whether `nodes` is exactly one well-formed tree.
bool is_predicate(Predicate nodes);

}  // namespace assay
