#include "history/predicate.h"

#include <array>

namespace assay {
namespace {

constexpr std::array<PredicateSpelling, 13> kSpellings{{
    {PredicateOp::And, "and", std::nullopt},
    {PredicateOp::Or, "or", std::nullopt},
    {PredicateOp::Not, "not", 1},
    {PredicateOp::Equal, "=", 1},
    {PredicateOp::NotEqual, "!=", 1},
    {PredicateOp::Less, "<", 1},
    {PredicateOp::LessEqual, "<=", 1},
    {PredicateOp::Greater, ">", 1},
    {PredicateOp::GreaterEqual, ">=", 1},
    {PredicateOp::Between, "between", 2},
    {PredicateOp::In, "in", std::nullopt},
    {PredicateOp::Like, "like", 1},
    {PredicateOp::IsNull, "null", 0},
}};

// The number of nodes of the tree that starts at `at`, or 0 if there is none.
std::size_t tree_size(Predicate nodes, std::size_t at, int depth) {
  if (at >= nodes.size() || depth > kDeepestPredicate) return 0;
  const PredicateNode& node = nodes[at];
  if (node.op == PredicateOp::Constant || !takes(node.op, node.operands)) return 0;
  std::size_t size = 1;
  for (std::uint32_t i = 0; i < node.operands; ++i) {
    if (is_connective(node.op)) {
      const std::size_t operand = tree_size(nodes, at + size, depth + 1);
      if (operand == 0) return 0;
      size += operand;
    } else {
      if (at + size >= nodes.size() || nodes[at + size].op != PredicateOp::Constant) return 0;
      ++size;
    }
  }
  return size;
}

}  // namespace

std::span<const PredicateSpelling> predicate_spellings() { return kSpellings; }

const PredicateSpelling* find_predicate(std::string_view name) {
  for (const PredicateSpelling& s : kSpellings)
    if (s.name == name) return &s;
  if (name == "<>") return find_predicate("!=");
  return nullptr;
}

bool takes(PredicateOp op, std::size_t operands) {
  if (op == PredicateOp::And || op == PredicateOp::Or) return operands >= 2;
  for (const PredicateSpelling& s : kSpellings)
    if (s.op == op) return !s.operands || *s.operands == operands;
  return false;
}

std::string_view spelling(PredicateOp op) {
  for (const PredicateSpelling& s : kSpellings)
    if (s.op == op) return s.name;
  return "constant";
}

bool is_predicate(Predicate nodes) { return !nodes.empty() && tree_size(nodes, 0, 0) == nodes.size(); }

}  // namespace assay
