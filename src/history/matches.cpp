#include "history/matches.h"

#include <algorithm>
#include <optional>

#include "history/scalar_order.h"

namespace assay {
namespace {

bool scalar_less(Scalar a, Scalar b) { return a.kind != b.kind ? a.kind < b.kind : a.bits < b.bits; }

// The integers that satisfy a comparison with integers: those from first to last, or all others.
struct Integers {
  std::int64_t first, last;
  bool others = false;
};

std::optional<Integers> integers(PredicateOp op, Scalar first, Scalar second) {
  constexpr std::int64_t lowest = INT64_MIN, highest = INT64_MAX;
  constexpr Integers none{1, 0};
  if (!first.is_integer() || (op == PredicateOp::Between && !second.is_integer())) return std::nullopt;
  const std::int64_t a = first.as_integer();
  switch (op) {
    case PredicateOp::Equal: return Integers{a, a};
    case PredicateOp::NotEqual: return Integers{a, a, true};
    case PredicateOp::Less: return a == lowest ? none : Integers{lowest, a - 1};
    case PredicateOp::LessEqual: return Integers{lowest, a};
    case PredicateOp::Greater: return a == highest ? none : Integers{a + 1, highest};
    case PredicateOp::GreaterEqual: return Integers{a, highest};
    case PredicateOp::Between: return Integers{a, second.as_integer()};
    default: return std::nullopt;
  }
}

// The one loop that visits every row for every statement. It handles four rows at once where the processor
// can.
#if defined(__x86_64__) && defined(__linux__)
__attribute__((target_clones("avx2", "default")))
#endif
void test_range(const std::uint64_t* cells, std::size_t n, std::uint64_t first, std::uint64_t width, std::uint8_t inside,
                std::uint8_t outside, std::uint8_t* truths) {
  for (std::size_t i = 0; i < n; ++i) truths[i] = cells[i] - first <= width ? inside : outside;
}

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
    node.column = column_of(history_->pool(), read.scalar);
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
      // `decides` is the truth value that settles the result at once; `result` begins as that of no operands.
      const Truth decides = node.op == PredicateOp::And ? Truth::False : Truth::True;
      Truth result = node.op == PredicateOp::And ? Truth::True : Truth::False;
      for (std::size_t operand = at + 1; operand < node.end; operand = nodes_[operand].end) {
        const Truth truth = evaluate(operand, key, value);
        if (truth == decides) return decides;
        if (truth == Truth::Unknown) result = truth;
      }
      return result;
    }
    default: return compare(node, cell(*history_, key, value, node.column));
  }
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
    // `a <= v and v <= b`: if one side is false, so is the whole, even if the other side is unknown.
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

void RowTest::ask_all(const TableState& table, std::vector<std::uint8_t>& matches) const {
  evaluate_all(0, table, matches);
  const auto exists = table.exists();
  for (std::size_t i = 0; i < matches.size(); ++i)
    matches[i] = static_cast<std::uint8_t>((matches[i] == 2) & exists[i]);
}

void RowTest::evaluate_all(std::size_t at, const TableState& table, std::vector<std::uint8_t>& truths) const {
  const Node& node = nodes_[at];
  if (!is_connective(node.op)) return compare_all(node, table, truths);
  if (node.op == PredicateOp::Not) {
    evaluate_all(at + 1, table, truths);
    for (std::uint8_t& truth : truths) truth = static_cast<std::uint8_t>(2 - truth);
    return;
  }
  const bool all = node.op == PredicateOp::And;
  truths.assign(table.size(), all ? 2 : 0);
  std::vector<std::uint8_t> operand_truths;
  for (std::size_t operand = at + 1; operand < node.end; operand = nodes_[operand].end) {
    evaluate_all(operand, table, operand_truths);
    for (std::size_t i = 0; i < truths.size(); ++i)
      truths[i] = all ? std::min(truths[i], operand_truths[i]) : std::max(truths[i], operand_truths[i]);
  }
}

void RowTest::compare_all(const Node& node, const TableState& table,
                          std::vector<std::uint8_t>& truths) const {
  const TableState::Cells& cells = table.cells(node.column.name);
  truths.resize(table.size());
  const auto range = integers(node.op, node.first, node.second);
  if (range && cells.no_integers == 0) {
    // Subtracting wraps cells below `first` around to very large numbers, so one comparison tests both ends.
    const auto first = static_cast<std::uint64_t>(range->first);
    const std::uint64_t width = static_cast<std::uint64_t>(range->last) - first;
    const std::uint8_t inside = range->others ? 0 : 2, outside = range->others ? 2 : 0;
    if (range->first > range->last) return truths.assign(table.size(), outside);
    return test_range(cells.bits.data(), table.size(), first, width, inside, outside, truths.data());
  }
  for (std::size_t i = 0; i < truths.size(); ++i)
    truths[i] = static_cast<std::uint8_t>(compare(node, cells.at(i)));
}

bool in_bounds(const History& history, const KeyBounds& bounds, KeyId key) {
  const Scalar name = history.name(key);
  if (name.kind != bounds.low.kind || name.kind != bounds.high.kind) return false;
  return compare(history.pool(), bounds.low, name) <= 0 && compare(history.pool(), name, bounds.high) <= 0;
}

}  // namespace assay
