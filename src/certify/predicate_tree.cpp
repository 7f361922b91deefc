#include "certify/predicate_tree.h"

#include <charconv>

namespace assay {
namespace {

// A number as 0.DIGITS times a power of ten, with neither leading nor trailing zeros; zero has no digits.
struct ExactNumber {
  bool negative = false;
  std::string digits;
  std::int64_t power = 0;

  explicit ExactNumber(std::string_view text) {
    negative = text.starts_with('-');
    bool behind_point = false;
    for (std::size_t i = negative ? 1 : 0; i < text.size(); ++i) {
      if (text[i] == 'e') {
        std::int64_t exponent = 0;
        std::from_chars(text.data() + i + 1, text.data() + text.size(), exponent);
        power += exponent;
        break;
      }
      if (text[i] == '.') {
        behind_point = true;
        continue;
      }
      digits += text[i];
      if (!behind_point) ++power;
    }
    while (digits.starts_with('0')) {
      digits.erase(0, 1);
      --power;
    }
    while (digits.ends_with('0')) digits.pop_back();
  }

  int sign() const { return digits.empty() ? 0 : negative ? -1 : 1; }
};

int compared(const auto& a, const auto& b) { return a < b ? -1 : b < a ? 1 : 0; }

int compare_numbers(const ExactNumber& a, const ExactNumber& b) {
  if (a.sign() != b.sign() || a.sign() == 0) return compared(a.sign(), b.sign());
  const int magnitude = a.power != b.power ? compared(a.power, b.power) : compared(a.digits, b.digits);
  return a.sign() * magnitude;
}

ExactNumber exact(const ScalarPool& pool, Scalar number) {
  return number.is_integer() ? ExactNumber(std::to_string(number.as_integer()))
                             : ExactNumber(pool.text(number));
}

std::uint8_t truth_of(bool is_true) { return is_true ? PredicateTree::kTrue : PredicateTree::kFalse; }

bool comes_before(Scalar a, Scalar b) { return a.kind != b.kind ? a.kind < b.kind : a.bits < b.bits; }

}  // namespace

ValueType type_of_value(Scalar value) {
  switch (value.kind) {
    case ScalarKind::Null: return ValueType::Null;
    case ScalarKind::Boolean: return ValueType::Boolean;
    case ScalarKind::Integer:
    case ScalarKind::Decimal: return ValueType::Number;
    case ScalarKind::String: return ValueType::String;
    case ScalarKind::Row: break;
  }
  return ValueType::Row;
}

int order_of_values(const ScalarPool& pool, Scalar a, Scalar b) {
  switch (type_of_value(a)) {
    case ValueType::String: return compared(pool.text(a), pool.text(b));
    case ValueType::Boolean: return compared(a.bits, b.bits);
    default: break;
  }
  if (a.is_integer() && b.is_integer()) return compared(a.as_integer(), b.as_integer());
  return compare_numbers(exact(pool, a), exact(pool, b));
}

ColumnName column_named(const ScalarPool& pool, Scalar name) {
  return {name, pool.text(name) == "key", pool.text(name) == "value"};
}

Scalar field_of(const History& history, KeyId key, Scalar row, const ColumnName& column) {
  if (column.is_key) return history.name(key);
  if (row.kind != ScalarKind::Row) return column.is_value ? row : Scalar::null();
  for (const RowField field : history.pool().fields(row))
    if (field.column == column.name) return field.value;
  return Scalar::null();
}

bool is_in_range(const History& history, const KeyBounds& range, KeyId key) {
  const Scalar name = history.name(key);
  const auto has_its_type = [&](Scalar bound) { return type_of_value(bound) == type_of_value(name); };
  return has_its_type(range.low) && has_its_type(range.high) &&
         order_of_values(history.pool(), range.low, name) <= 0 &&
         order_of_values(history.pool(), name, range.high) <= 0;
}

void ColumnCells::resize(std::size_t rows) {
  cells.assign(rows, Scalar::integer(0));
  integers.assign(rows, 0);
  others = 0;
}

void ColumnCells::set(std::size_t row, Scalar value) {
  others -= !cells[row].is_integer();
  others += !value.is_integer();
  cells[row] = value;
  integers[row] = value.is_integer() ? value.as_integer() : 0;
}

PredicateTree::PredicateTree(const History& history, Predicate predicate) : history_(&history) {
  ASSAY_REQUIRE(is_predicate(predicate));
  std::size_t at = 0;
  root_ = read(predicate, at);
}

PredicateTree::Node PredicateTree::read(Predicate predicate, std::size_t& at) const {
  const PredicateNode& written = predicate[at++];
  Node node;
  node.op = written.op;
  if (is_connective(written.op)) {
    for (std::uint32_t i = 0; i < written.operands; ++i) node.operands.push_back(read(predicate, at));
    return node;
  }
  node.column = column_named(history_->pool(), written.scalar);
  for (std::uint32_t i = 0; i < written.operands; ++i) {
    node.constants.push_back(predicate[at++].scalar);
    node.has_null |= node.constants.back().is_null();
  }
  if (node.op == PredicateOp::In) std::ranges::sort(node.constants, comes_before);
  if (node.op == PredicateOp::Like && node.constants.front().is_string()) {
    node.prefix = history_->pool().text(node.constants.front());
    if (node.prefix.ends_with('%')) node.prefix.pop_back();
  }
  return node;
}

bool PredicateTree::matches(KeyId key, Scalar row) const {
  return !row.is_null() && evaluate(root_, key, row) == kTrue;
}

std::uint8_t PredicateTree::evaluate(const Node& node, KeyId key, Scalar row) const {
  if (!is_connective(node.op)) return compare(node, field_of(*history_, key, row, node.column));
  std::uint8_t truth = evaluate(node.operands.front(), key, row);
  if (node.op == PredicateOp::Not) return static_cast<std::uint8_t>(kTrue - truth);
  for (std::size_t operand = 1; operand < node.operands.size(); ++operand) {
    const std::uint8_t other = evaluate(node.operands[operand], key, row);
    truth = node.op == PredicateOp::And ? std::min(truth, other) : std::max(truth, other);
  }
  return truth;
}

// A comparison with null is unknown. So is one between two types, which require_meaning() rules out.
std::uint8_t PredicateTree::compare(const Node& node, Scalar cell) const {
  if (node.op == PredicateOp::IsNull) return truth_of(cell.is_null());
  if (cell.is_null()) return kUnknown;
  if (node.op == PredicateOp::In) {
    if (std::ranges::binary_search(node.constants, cell, comes_before)) return kTrue;
    return node.has_null ? kUnknown : kFalse;
  }
  const auto can_compare = [&](Scalar constant) { return type_of_value(constant) == type_of_value(cell); };
  const auto order = [&](Scalar constant) { return order_of_values(history_->pool(), cell, constant); };
  const Scalar constant = node.constants.front();
  if (node.op == PredicateOp::Between) {  // low <= cell and cell <= high
    const auto side = [&](Scalar bound, bool is_low) {
      return !can_compare(bound) ? kUnknown : truth_of(is_low ? order(bound) >= 0 : order(bound) <= 0);
    };
    return std::min(side(constant, true), side(node.constants.back(), false));
  }
  if (!can_compare(constant)) return kUnknown;
  switch (node.op) {
    case PredicateOp::Equal: return truth_of(cell == constant);
    case PredicateOp::NotEqual: return truth_of(cell != constant);
    case PredicateOp::Less: return truth_of(order(constant) < 0);
    case PredicateOp::LessEqual: return truth_of(order(constant) <= 0);
    case PredicateOp::Greater: return truth_of(order(constant) > 0);
    case PredicateOp::GreaterEqual: return truth_of(order(constant) >= 0);
    case PredicateOp::Like:
      return cell.is_string() ? truth_of(history_->pool().text(cell).starts_with(node.prefix)) : kUnknown;
    default: return kUnknown;
  }
}

// If all cells and constants are integers: one loop without a branch.
bool PredicateTree::compare_integers(const Node& node, const ColumnCells& cells,
                                     std::vector<std::uint8_t>& truths) const {
  if (cells.others > 0 || node.constants.empty() || !node.constants.front().is_integer() ||
      !node.constants.back().is_integer())
    return false;
  const std::int64_t low = node.constants.front().as_integer(), high = node.constants.back().as_integer();
  const std::int64_t* cell = cells.integers.data();
  const auto for_all = [&](auto is_true) {
    std::uint8_t* const truth = truths.data();
    const std::size_t rows = truths.size();
    for (std::size_t i = 0; i < rows; ++i) truth[i] = static_cast<std::uint8_t>(is_true(cell[i]) * kTrue);
    return true;
  };
  switch (node.op) {
    case PredicateOp::Equal: return for_all([=](std::int64_t x) { return x == low; });
    case PredicateOp::NotEqual: return for_all([=](std::int64_t x) { return x != low; });
    case PredicateOp::Less: return for_all([=](std::int64_t x) { return x < low; });
    case PredicateOp::LessEqual: return for_all([=](std::int64_t x) { return x <= low; });
    case PredicateOp::Greater: return for_all([=](std::int64_t x) { return x > low; });
    case PredicateOp::GreaterEqual: return for_all([=](std::int64_t x) { return x >= low; });
    case PredicateOp::Between: return for_all([=](std::int64_t x) { return (x >= low) & (x <= high); });
    default: return false;
  }
}

}  // namespace assay
