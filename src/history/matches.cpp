#include "history/matches.h"

#include <algorithm>

#include "history/scalar_order.h"

namespace assay {
namespace {

bool scalar_less(Scalar a, Scalar b) { return a.kind != b.kind ? a.kind < b.kind : a.bits < b.bits; }

}  // namespace

RowTest::RowTest(const History& history, Predicate predicate) : history_(&history) {
  ASSAY_REQUIRE(is_predicate(predicate));
  nodes_.reserve(predicate.size());
  std::size_t at = 0;
  prepare(predicate, at);
}

void RowTest::prepare(Predicate predicate, std::size_t& at) {
  const PredicateNode& read = predicate[at++];
  const std::size_t place = nodes_.size();
  Node node{};
  node.op = read.op;
  if (!is_connective(read.op)) {
    node.column = read.scalar;
    const std::string_view column = history_->pool().text(read.scalar);
    node.source = column == "key" ? Source::Key : column == "value" ? Source::Value : Source::Field;
    --at;
    prepare_comparison(predicate, at, node);
    nodes_.push_back(node);
  } else {
    nodes_.push_back(node);
    for (std::uint32_t i = 0; i < read.operands; ++i) prepare(predicate, at);
  }
  nodes_[place].end = static_cast<std::uint32_t>(nodes_.size());
}

void RowTest::prepare_comparison(Predicate predicate, std::size_t& at, Node& node) {
  const std::uint32_t operands = predicate[at++].operands;
  const Predicate constants = predicate.subspan(at, operands);
  at += operands;
  node.null_among_constants =
      std::ranges::any_of(constants, [](const PredicateNode& c) { return c.scalar.is_null(); });
  if (operands > 0) node.first = constants.front().scalar;
  if (operands > 1) node.second = constants.back().scalar;
  if (node.op == PredicateOp::Like && node.first.is_string()) {
    node.prefix = history_->pool().text(node.first);
    if (node.prefix.ends_with('%')) node.prefix.remove_suffix(1);
  }
  if (node.op != PredicateOp::In) return;
  node.in_begin = static_cast<std::uint32_t>(in_.size());
  for (const PredicateNode& c : constants) in_.push_back(c.scalar);
  std::sort(in_.begin() + node.in_begin, in_.end(), scalar_less);
  node.in_end = static_cast<std::uint32_t>(in_.size());
}

bool RowTest::operator()(KeyId key, Scalar value) const {
  return !value.is_null() && evaluate(0, key, value) == Truth::True;
}

RowTest::Truth RowTest::evaluate(std::size_t at, KeyId key, Scalar value) const {
  const Node& node = nodes_[at];
  switch (node.op) {
    case PredicateOp::Not: {
      const Truth operand = evaluate(at + 1, key, value);
      return operand == Truth::Unknown ? operand : operand == Truth::True ? Truth::False : Truth::True;
    }
    case PredicateOp::And:
    case PredicateOp::Or: {
      // The operand that decides alone; the other extreme is what an empty list would be.
      const Truth decides = node.op == PredicateOp::And ? Truth::False : Truth::True;
      Truth result = node.op == PredicateOp::And ? Truth::True : Truth::False;
      for (std::size_t operand = at + 1; operand < node.end; operand = nodes_[operand].end) {
        const Truth truth = evaluate(operand, key, value);
        if (truth == decides) return decides;
        if (truth == Truth::Unknown) result = truth;
      }
      return result;
    }
    default: return compare(node, column(node, key, value));
  }
}

Scalar RowTest::column(const Node& node, KeyId key, Scalar value) const {
  if (node.source == Source::Key) return history_->name(key);
  if (value.kind != ScalarKind::Row) return node.source == Source::Value ? value : Scalar::null();
  for (const RowField& field : history_->pool().fields(value))
    if (field.column == node.column) return field.value;
  return Scalar::null();
}

RowTest::Truth RowTest::compare(const Node& node, Scalar value) const {
  const auto truth = [](bool b) { return b ? Truth::True : Truth::False; };
  if (node.op == PredicateOp::IsNull) return truth(value.is_null());
  if (value.is_null()) return Truth::Unknown;
  if (node.op == PredicateOp::In) return is_in(node, value);

  const ScalarPool& pool = history_->pool();
  const ScalarType type = type_of(value);
  const auto against = [&](Scalar constant) { return assay::compare(pool, value, constant); };
  if (node.op == PredicateOp::Between) {
    // `a <= v and v <= b`: one false side decides, whatever the other compares with.
    const bool low_known = type_of(node.first) == type, high_known = type_of(node.second) == type;
    if ((low_known && against(node.first) < 0) || (high_known && against(node.second) > 0))
      return Truth::False;
    return low_known && high_known ? Truth::True : Truth::Unknown;
  }
  if (type_of(node.first) != type) return Truth::Unknown;
  switch (node.op) {
    case PredicateOp::Equal: return truth(value == node.first);
    case PredicateOp::NotEqual: return truth(value != node.first);
    case PredicateOp::Less: return truth(against(node.first) < 0);
    case PredicateOp::LessEqual: return truth(against(node.first) <= 0);
    case PredicateOp::Greater: return truth(against(node.first) > 0);
    case PredicateOp::GreaterEqual: return truth(against(node.first) >= 0);
    case PredicateOp::Like:
      return value.is_string() ? truth(pool.text(value).starts_with(node.prefix)) : Truth::Unknown;
    default: return Truth::Unknown;
  }
}

RowTest::Truth RowTest::is_in(const Node& node, Scalar value) const {
  if (std::binary_search(in_.begin() + node.in_begin, in_.begin() + node.in_end, value, scalar_less))
    return Truth::True;
  return node.null_among_constants ? Truth::Unknown : Truth::False;
}

bool in_bounds(const History& history, const KeyBounds& bounds, KeyId key) {
  const Scalar name = history.name(key);
  if (name.kind != bounds.low.kind || name.kind != bounds.high.kind) return false;
  return compare(history.pool(), bounds.low, name) <= 0 && compare(history.pool(), name, bounds.high) <= 0;
}

}  // namespace assay
