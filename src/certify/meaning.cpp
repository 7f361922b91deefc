// Refuses histories of rows that have no meaning, as docs/predicates.md lists them at its end. One pass over
// the values and operations, and the types that each column has.
#include <fmt/format.h>

#include <set>
#include <unordered_map>

#include "certify/predicate_tree.h"
#include "certify/reads.h"

namespace assay {
namespace {

class MeaningCheck {
 public:
  explicit MeaningCheck(const History& history) : h_(history), listed_by_(history.key_count()) {}

  Result<void> run() {
    std::vector<OpId> statements;
    for (const OpId op : h_.operations())
      if (!is_one_key(h_.kind(op))) statements.push_back(op);
    if (statements.empty()) return {};
    for (const KeyId key : h_.keys())
      if (!h_.is_list(key)) key_types_.insert(type_of_value(h_.name(key)));
    note_types();
    for (const OpId op : statements) {
      ASSAY_TRY(listed_once(op));
      ASSAY_TRY(h_.kind(op) == OpKind::Scan ? scan(op) : predicate(op));
    }
    return {};
  }

 private:
  // The types of the values of all keys that are not lists; scalars are in the column `value`.
  void note_types() {
    for (std::size_t i = 0; i < h_.key_value_count(); ++i) {
      const Scalar row = h_.value(KeyValueId(i));
      if (h_.is_list(h_.key(KeyValueId(i)))) continue;
      if (row.kind != ScalarKind::Row) {
        scalar_types_.insert(type_of_value(row));
        continue;
      }
      for (const RowField field : h_.pool().fields(row))
        field_types_[field.column.bits] |= 1u << static_cast<unsigned>(type_of_value(field.value));
    }
  }

  bool has_type(const ColumnName& column, ValueType type) const {
    if (column.is_key) return key_types_.contains(type);
    if (column.is_value && scalar_types_.contains(type)) return true;
    const auto types = field_types_.find(column.name.bits);
    return types != field_types_.end() && (types->second >> static_cast<unsigned>(type) & 1) != 0;
  }

  Result<void> listed_once(OpId op) {
    for (const KeyValueId row : h_.rows(op)) {
      OpId& last = listed_by_[h_.key(row).index()];
      if (last == op)
        return error(fmt::format("statement {} lists key {} twice", called(h_, op), h_.display(h_.key(row))));
      last = op;
    }
    return {};
  }

  Result<void> scan(OpId op) const {
    const KeyBounds range = h_.bounds(op);
    const ValueType type = type_of_value(range.low);
    if (type_of_value(range.high) != type || (key_types_ != std::set{type} && !key_types_.empty()))
      return error(fmt::format("scan {} is of keys of several types", called(h_, op)));
    for (const KeyValueId row : h_.rows(op))
      if (!is_in_range(h_, range, h_.key(row)))
        return error(fmt::format("scan {} returned key {}, which is not in its range", called(h_, op),
                                 h_.display(h_.key(row))));
    return {};
  }

  Result<void> predicate(OpId op) const {
    ColumnName column;
    PredicateOp comparison{};
    for (const PredicateNode& node : h_.predicate(op)) {
      if (is_connective(node.op)) continue;
      if (node.op == PredicateOp::Constant) {
        if (node.scalar.is_null()) continue;
        if (comparison == PredicateOp::Like) ASSAY_TRY(pattern(op, node.scalar));
        ASSAY_TRY(one_type(op, column, node.scalar));
      } else {
        comparison = node.op;
        column = column_named(h_.pool(), node.scalar);
      }
    }
    if (h_.kind(op) != OpKind::Select) return {};
    const PredicateTree tree(h_, h_.predicate(op));
    for (const KeyValueId row : h_.rows(op))
      if (!tree.matches(h_.key(row), h_.value(row)))
        return error(fmt::format("select {} returned key {} with a row that does not match", called(h_, op),
                                 h_.display(h_.key(row))));
    return {};
  }

  Result<void> one_type(OpId op, const ColumnName& column, Scalar constant) const {
    for (const ValueType type : {ValueType::Boolean, ValueType::Number, ValueType::String, ValueType::Row})
      if (type != type_of_value(constant) && has_type(column, type))
        return error(fmt::format("statement {} compares column {} with a constant of another type",
                                 called(h_, op), h_.pool().text(column.name)));
    return {};
  }

  // "abc%"
  Result<void> pattern(OpId op, Scalar constant) const {
    const std::string_view text = constant.is_string() ? h_.pool().text(constant) : "";
    if (!text.empty() && text.find_first_of("%_\\") == text.size() - 1 && text.back() == '%') return {};
    return error(fmt::format("statement {} has a pattern that is no prefix", called(h_, op)));
  }

  const History& h_;
  std::set<ValueType> key_types_, scalar_types_;
  std::unordered_map<std::uint64_t, unsigned> field_types_;  // by column: a bit for each type
  std::vector<OpId> listed_by_;                              // by key: the last statement that listed it
};

}  // namespace

Result<void> require_meaning(const History& history) { return MeaningCheck(history).run(); }

}  // namespace assay
