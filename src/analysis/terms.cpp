// Expressions as terms and conditions of the formula.
//
// Integers are Int, decimals Real; everything else is an Int of which only equality means something
// (constants of text get numbers of their own). In guards and assignments whatever cannot be calculated is
// some fixed value: a function of the expression and the rounds. On rows it is not known at all.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/encoding.h"

namespace assay::analysis {

using sql::Expression;
using Kind = Expression::Kind;
using sql::ExpressionPtr;
using z3::expr;

namespace {

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_of("0123456789") != text.npos &&
         text.find_first_not_of("0123456789.-") == text.npos && text.rfind('-') + 1 <= 1;
}

bool has_order(sql::Type type) { return type == sql::Type::Integer || type == sql::Type::Decimal; }

}  // namespace

z3::sort Encoding::sort_of(sql::Type type) {
  return type == sql::Type::Decimal ? z_.real_sort() : z_.int_sort();
}

expr Encoding::apply(const std::string& name, const std::vector<expr>& arguments, const z3::sort& sort) {
  z3::sort_vector domain(z_);
  z3::expr_vector values(z_);
  for (const expr& argument : arguments) {
    domain.push_back(argument.get_sort());
    values.push_back(argument);
  }
  return z_.function(name.c_str(), domain, sort)(values);
}

expr Encoding::as_sort(const expr& e, const z3::sort& sort) {
  if (e.is_int() && sort.is_real()) return z3::to_real(e);
  if (e.is_real() && sort.is_int()) return expr(z_, Z3_mk_real2int(z_, e));
  return e;
}

expr Encoding::equal(const Term& a, const Term& b) {
  const z3::sort sort = a.value.is_real() ? a.value.get_sort() : b.value.get_sort();
  return a.null == b.null && (a.null || as_sort(a.value, sort) == as_sort(b.value, sort));
}

Term Encoding::fresh(const Scope& scope, const Expression& e, bool known) {
  const std::string name = fmt::format("?{}@{}", facts_.name_of(e), scope.tx);
  return {apply(name, scope.rounds, sort_of(e.type)), apply(name + "null", scope.rounds, z_.bool_sort()),
          known};
}

Term Encoding::constant(const Expression& e) {
  if (e.null) return {e.type == sql::Type::Decimal ? z_.real_val(0) : z_.int_val(0), yes()};
  if (e.type == sql::Type::Integer && is_number(e.text) && e.text.find('.') == e.text.npos)
    return {z_.int_val(e.text.c_str()), no()};
  if (e.type == sql::Type::Decimal && is_number(e.text)) return {z_.real_val(e.text.c_str()), no()};
  if (e.type == sql::Type::Boolean) return {z_.int_val(e.text == "true" || e.text == "t" ? 1 : 0), no()};
  const auto number =
      static_cast<std::int64_t>(texts_.try_emplace(e.text, 1000 + texts_.size()).first->second);
  const expr value = z_.int_val(number);
  return {as_sort(value, sort_of(e.type)), no(), e.type != sql::Type::Decimal};
}

Term Encoding::variable(std::size_t tx, sql::VariableId id, const Rounds& rounds) {
  const sql::Variable& variable = (*program(tx).program)[id];
  const std::size_t whose = variable.parameter && txs_[tx].world > 0 ? txs_[tx].twin : tx;
  const std::string name = fmt::format("{}#{}@{}", variable.name, id.value, whose);
  const Rounds own(rounds.begin(), rounds.begin() + std::min<std::ptrdiff_t>(variable.depth, rounds.size()));
  return {apply(name, own, sort_of(variable.type)), apply(name + "null", own, z_.bool_sort())};
}

Term Encoding::element(std::size_t tx, sql::VariableId id, const Rounds& rounds, const expr& index) {
  const sql::Variable& variable = (*program(tx).program)[id];
  const std::size_t whose = variable.parameter && txs_[tx].world > 0 ? txs_[tx].twin : tx;
  const std::string name = fmt::format("{}#{}[]@{}", variable.name, id.value, whose);
  Rounds own(rounds.begin(), rounds.begin() + std::min<std::ptrdiff_t>(variable.depth, rounds.size()));
  own.push_back(index);
  return {apply(name, own, sort_of(variable.type)), apply(name + "null", own, z_.bool_sort())};
}

Term Encoding::fixed_value(const Record& record, sql::ColumnId column) {
  const sql::Table& table = facts_.schema()[record.table];
  const auto place = std::ranges::find(table.primary_key, column);
  if (place != table.primary_key.end()) return {record.key[place - table.primary_key.begin()], no()};
  const std::string name = fmt::format("{}.{}", table.name, table[column].name);
  return {apply(name, record.key, sort_of(table[column].type)),
          table[column].nullable ? apply(name + "null", record.key, z_.bool_sort()) : no()};
}

Term Encoding::seen_value(std::size_t view, const Record& record, sql::ColumnId column) {
  const sql::Table& table = facts_.schema()[record.table];
  const std::string name = fmt::format("{}.{} seen{}", table.name, table[column].name, view);
  return {apply(name, record.key, sort_of(table[column].type)),
          table[column].nullable ? apply(name + "null", record.key, z_.bool_sort()) : no()};
}

Term Encoding::field(const Scope& scope, const Expression& e) {
  if (scope.inserted != nullptr) {
    Scope outside{scope.tx, scope.rounds};
    return evaluate(outside, scope.inserted->values[e.column.index()]);
  }
  const Record* record = e.source.index() < scope.rows.size() ? scope.rows[e.source.index()] : nullptr;
  if (record == nullptr) return fresh(scope, e, false);
  if (scope.updated != nullptr) {
    for (const auto& set : scope.updated->sets) {
      if (set.column != e.column) continue;
      Scope old = scope;
      old.updated = nullptr;
      return evaluate(old, set.value);
    }
  }
  if (facts_.fixed(record->table, e.column)) return fixed_value(*record, e.column);
  if (scope.view && !writes_before(scope.tx, scope.item, record->table, e.column))
    return seen_value(*scope.view, *record, e.column);
  return fresh(scope, e, false);
}

Term Encoding::arithmetic(const Scope& scope, const Expression& e) {
  Term a = evaluate(scope, e.kids[0]);
  if (e.kind == Kind::Negate) return {-a.value, a.null, a.known};
  Term b = evaluate(scope, e.kids[1]);
  const bool known = a.known && b.known;
  const bool linear = e.kind == Kind::Add || e.kind == Kind::Subtract ||
                      (e.kind == Kind::Multiply && (a.value.is_numeral() || b.value.is_numeral()));
  if (!linear || !has_order(e.kids[0]->type) || !has_order(e.kids[1]->type)) return fresh(scope, e, known);
  const z3::sort sort = sort_of(e.type);
  const expr x = as_sort(a.value, sort), y = as_sort(b.value, sort);
  const expr value = e.kind == Kind::Add ? x + y : e.kind == Kind::Subtract ? x - y : x * y;
  return {value, a.null || b.null, known};
}

Term Encoding::evaluate(const Scope& scope, const ExpressionPtr& pointer) {
  const Expression& e = *pointer;
  switch (e.kind) {
    case Kind::Constant: return constant(e);
    case Kind::Variable:
      if ((*program(scope.tx).program)[e.variable].depth > scope.rounds.size()) return fresh(scope, e, true);
      return variable(scope.tx, e.variable, scope.rounds);
    case Kind::Field: return field(scope, e);
    case Kind::Element: {
      const Term index = evaluate(scope, e.kids[1]);
      if (e.kids[0]->kind != Kind::Variable || !index.value.is_int()) return fresh(scope, e, index.known);
      Term value = element(scope.tx, e.kids[0]->variable, scope.rounds, index.value);
      return {value.value, value.null || index.null, index.known};
    }
    case Kind::Negate:
    case Kind::Add:
    case Kind::Subtract:
    case Kind::Multiply:
    case Kind::Divide:
    case Kind::Modulo: return arithmetic(scope, e);
    case Kind::Case: {
      Term result = evaluate(scope, e.kids.back());
      const z3::sort sort = sort_of(e.type);
      result.value = as_sort(result.value, sort);
      for (std::size_t i = e.kids.size() - 1; i >= 2; i -= 2) {
        const Truth condition = truth(scope, e.kids[i - 2]);
        const Term value = evaluate(scope, e.kids[i - 1]);
        const bool exact = z3::eq(condition.may, condition.must);
        result = {z3::ite(condition.must, as_sort(value.value, sort), result.value),
                  z3::ite(condition.must, value.null, result.null), result.known && value.known && exact};
      }
      return result;
    }
    case Kind::Unknown:
    case Kind::Fresh: {
      const bool on_rows = sql::depends_on_row(pointer) && scope.inserted == nullptr;
      Term value = fresh(scope, e, !on_rows);
      // NULL exactly where its argument is.
      if (!on_rows && (e.text == "lower({})" || e.text == "upper({})"))
        value.null = evaluate(scope, e.kids[0]).null;
      return value;
    }
    default: {  // a condition as a value
      const Truth t = truth(scope, pointer);
      return {z3::ite(t.must, z_.int_val(1), z_.int_val(0)), !t.must && !t.must_not,
              z3::eq(t.may, t.must) && z3::eq(t.may_not, t.must_not)};
    }
  }
}

Truth Encoding::open_truth(const Scope& scope, const Expression* e) {
  if (!scope.rows.empty() || e == nullptr) return {yes(), no(), yes(), no()};
  const std::string name = fmt::format("?{}@{}", facts_.name_of(*e), scope.tx);
  const expr is = apply(name, scope.rounds, z_.bool_sort());
  const expr is_not = !is && apply(name + "not", scope.rounds, z_.bool_sort());
  return {is, is, is_not, is_not};
}

Truth Encoding::compare(const Scope& scope, Kind kind, sql::Type type, Term a, Term b, const Expression* e) {
  const bool ordering = kind != Kind::Equal && kind != Kind::NotEqual;
  if (!a.known || !b.known || (ordering && !has_order(type))) return open_truth(scope, e);
  const z3::sort sort = a.value.is_real() ? a.value.get_sort() : b.value.get_sort();
  const expr x = as_sort(a.value, sort), y = as_sort(b.value, sort);
  const expr both = !a.null && !b.null;
  const auto holds = [&] {
    switch (kind) {
      case Kind::Equal: return x == y;
      case Kind::NotEqual: return x != y;
      case Kind::Less: return x < y;
      case Kind::LessEqual: return x <= y;
      case Kind::Greater: return x > y;
      default: return x >= y;
    }
  }();
  const expr is = (both && holds).simplify(), is_not = (both && !holds).simplify();
  return {is, is, is_not, is_not};
}

Truth Encoding::compare(const Scope& scope, const Expression& e) {
  const Term a = evaluate(scope, e.kids[0]), b = evaluate(scope, e.kids[1]);
  const sql::Type type =
      has_order(e.kids[0]->type) && has_order(e.kids[1]->type) ? e.kids[0]->type : sql::Type::Other;
  return compare(scope, e.kind, type, a, b, &e);
}

Truth Encoding::truth(const Scope& scope, const ExpressionPtr& pointer) {
  if (!pointer) return {yes(), yes(), no(), no()};
  const Expression& e = *pointer;
  switch (e.kind) {
    case Kind::And:
    case Kind::Or: {
      Truth all = truth(scope, e.kids[0]);
      for (std::size_t i = 1; i < e.kids.size(); ++i) {
        const Truth next = truth(scope, e.kids[i]);
        if (e.kind == Kind::And)
          all = {all.may && next.may, all.must && next.must, all.may_not || next.may_not,
                 all.must_not || next.must_not};
        else
          all = {all.may || next.may, all.must || next.must, all.may_not && next.may_not,
                 all.must_not && next.must_not};
      }
      return all;
    }
    case Kind::Not: {
      const Truth t = truth(scope, e.kids[0]);
      return {t.may_not, t.must_not, t.may, t.must};
    }
    case Kind::IsNull: {
      const Term t = evaluate(scope, e.kids[0]);
      if (!t.known) return open_truth(scope, &e);
      return {t.null, t.null, !t.null, !t.null};
    }
    case Kind::In: {
      if (e.kids.size() == 2 && e.kids[1]->kind == Kind::Variable &&
          (*program(scope.tx).program)[e.kids[1]->variable].is_set)
        return open_truth(scope, &e);
      Truth any{no(), no(), yes(), yes()};
      const Term a = evaluate(scope, e.kids[0]);
      for (std::size_t i = 1; i < e.kids.size(); ++i) {
        const Truth one =
            compare(scope, Kind::Equal, e.kids[0]->type, a, evaluate(scope, e.kids[i]), e.kids[i].get());
        any = {any.may || one.may, any.must || one.must, any.may_not && one.may_not,
               any.must_not && one.must_not};
      }
      return any;
    }
    default: break;
  }
  if (sql::is_comparison(e.kind)) return compare(scope, e);
  const Term t = evaluate(scope, pointer);
  if (!t.known) return open_truth(scope, &e);
  const expr is = (!t.null && t.value == 1).simplify(), is_not = (!t.null && t.value != 1).simplify();
  return {is, is, is_not, is_not};
}

}  // namespace assay::analysis
