// Rejects meaningless predicates in one pass over values and operations.
#include <fmt/format.h>

#include <array>
#include <unordered_map>

#include "history/describe.h"
#include "history/matches.h"
#include "history/scalar_order.h"

namespace assay {
namespace {

constexpr std::size_t kTypes = 5;

class PredicateCheck {
 public:
  explicit PredicateCheck(const History& history) : h_(history), shown_in_(history.key_count()) {}

  Result<void> run() {
    if (!has_tables()) return {};
    gather_types();
    for (const TxnId t : h_.transactions())
      for (const OpId op : h_.operations(t))
        if (!is_one_key(h_.kind(op)))
          if (auto problem = check(op); !problem) return at(t, op, std::move(problem).error());
    return {};
  }

 private:
  // An example, for the error message, of a key and value that has a column of some type.
  struct Witness {
    KeyId key;
    Scalar value;
  };
  using Types = std::array<std::optional<Witness>, kTypes>;

  bool has_tables() const {
    for (const OpId op : h_.operations())
      if (!is_one_key(h_.kind(op))) return true;
    return false;
  }

  void gather_types() {
    for (const OpId op : h_.operations())
      if (has_predicate(h_.kind(op)))
        for (const PredicateNode& node : h_.predicate(op))
          if (node.op != PredicateOp::Constant && !is_connective(node.op))
            columns_.try_emplace(node.scalar.bits);
    for (const KeyId key : h_.keys())
      if (!h_.is_list(key)) note(keys_, key, h_.name(key));
    Types* const scalars = find_column("value");
    for (std::size_t i = 0; i < h_.key_value_count(); ++i) {
      const KeyValueId kv(i);
      const KeyId key = h_.key(kv);
      const Scalar value = h_.value(kv);
      if (h_.is_list(key)) continue;
      if (value.kind != ScalarKind::Row) {
        if (scalars != nullptr) note(*scalars, key, value);
        continue;
      }
      for (const RowField field : h_.pool().fields(value))
        if (const auto column = columns_.find(field.column.bits); column != columns_.end())
          note(column->second, key, field.value);
    }
  }

  Types* find_column(std::string_view name) {
    for (auto& [text, types] : columns_)
      if (h_.pool().text({ScalarKind::String, text}) == name) return &types;
    return nullptr;
  }

  static void note(Types& types, KeyId key, Scalar value) {
    auto& witness = types[static_cast<std::size_t>(type_of(value))];
    if (!witness) witness = Witness{key, value};
  }

  Result<void> check(OpId op) {
    if (h_.kind(op) == OpKind::Scan) return check_scan(op);
    ASSAY_TRY(check_constants(h_.predicate(op)));
    const bool shows_what_it_saw = h_.kind(op) == OpKind::Select;
    std::optional<RowTest> matches;
    if (shows_what_it_saw) matches.emplace(h_, h_.predicate(op));
    for (const KeyValueId row : h_.rows(op)) {
      ASSAY_TRY(shown_once(op, row));
      if (shows_what_it_saw && !(*matches)(h_.key(row), h_.value(row)))
        return error(fmt::format("the row {} = {} does not match", h_.display(h_.key(row)),
                                 h_.pool().to_json(h_.value(row))));
    }
    return {};
  }

  Result<void> check_scan(OpId op) {
    const KeyBounds bounds = h_.bounds(op);
    const ScalarType type = type_of(bounds.low);
    for (const ScalarType other : {type_of(bounds.high), ScalarType::Number, ScalarType::String})
      if (other != type && (other == type_of(bounds.high) || keys_[static_cast<std::size_t>(other)]))
        return error(
            fmt::format("a scan over mixed key types: it begins with a {}, and there are keys that are {}s",
                        name(type), name(other)),
            "bounds and keys must be all integers or all strings");
    for (const KeyValueId row : h_.rows(op)) {
      ASSAY_TRY(shown_once(op, row));
      if (!in_bounds(h_, bounds, h_.key(row)))
        return error(fmt::format("key {} is outside the range", h_.display(h_.key(row))));
    }
    return {};
  }

  Result<void> shown_once(OpId op, KeyValueId row) {
    OpId& last = shown_in_[h_.key(row).index()];
    if (last == op) return error(fmt::format("key {} is listed twice", h_.display(h_.key(row))));
    last = op;
    return {};
  }

  Result<void> check_constants(Predicate predicate) {
    Scalar column;
    for (std::size_t i = 0; i < predicate.size(); ++i) {
      const PredicateNode& node = predicate[i];
      if (node.op != PredicateOp::Constant) column = node.scalar;
      if (node.op == PredicateOp::Like) ASSAY_TRY(check_pattern(predicate[i + 1].scalar));
      if (node.op == PredicateOp::Constant && !node.scalar.is_null())
        ASSAY_TRY(check_type(column, node.scalar));
    }
    return {};
  }

  Result<void> check_type(Scalar column, Scalar constant) {
    const std::string_view column_name = h_.pool().text(column);
    const Types& types = column_name == "key" ? keys_ : columns_.at(column.bits);
    for (std::size_t type = 0; type < kTypes; ++type) {
      if (!types[type] || type == static_cast<std::size_t>(ScalarType::Null) ||
          type == static_cast<std::size_t>(type_of(constant)))
        continue;
      return error(
          fmt::format("column {} is compared with the {} {}, but key {} has the {} {} there", column_name,
                      name(type_of(constant)), h_.pool().to_json(constant), h_.display(types[type]->key),
                      name(static_cast<ScalarType>(type)), h_.pool().to_json(types[type]->value)),
          "1 equals 1.0 and never \"1\": give column and constant one type");
    }
    return {};
  }

  Result<void> check_pattern(Scalar pattern) {
    const bool is_prefix =
        pattern.is_string() && h_.pool().text(pattern).ends_with('%') &&
        h_.pool().text(pattern).find_first_of("%_\\") == h_.pool().text(pattern).size() - 1;
    if (is_prefix || pattern.is_null()) return {};
    return error(fmt::format("like {} is no prefix pattern", h_.pool().to_json(pattern)),
                 "write it as \"abc%\", without other %, _ or \\");
  }

  Error at(TxnId t, OpId op, Error problem) const {
    const std::size_t position = op.index() - h_.operations(t).first.index() + 1;
    const std::string about =
        h_.kind(op) == OpKind::Scan ? std::string("a scan") : describe(h_, h_.predicate(op));
    problem.what =
        fmt::format("transaction {}, operation {} ({}): {}", h_.display(t), position, about, problem.what);
    return problem;
  }

  const History& h_;
  Types keys_;
  std::unordered_map<std::uint64_t, Types> columns_;  // by the number of the column's name
  std::vector<OpId> shown_in_;                        // by key: the last operation that listed it
};

}  // namespace

Result<void> check_predicates(const History& history) { return PredicateCheck(history).run(); }

}  // namespace assay
