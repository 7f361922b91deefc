// Locks that are no rows: pg_advisory_xact_lock and LOCK TABLE.
//
// Such a lock becomes a row of a table of locks (schema.h), which the statement locks FOR UPDATE. Two
// transactions that take it exclude each other in the same way as two that lock one row. Only what surely
// takes the lock until the end counts: a statement that does nothing else. Session locks can be given back
// before, locks that are shared exclude nobody here, and those in a larger query may be taken or not.
#include <algorithm>
#include <array>

#include "sql/functions.h"
#include "sql/lowering.h"
#include "sql/tree.h"

namespace assay::sql {
namespace {

// Of PostgreSQL's modes those that exclude themselves: SHARE UPDATE EXCLUSIVE, SHARE ROW EXCLUSIVE, EXCLUSIVE
// and ACCESS EXCLUSIVE. Those between them do not.
bool excludes_itself(std::int64_t mode) { return mode == 4 || mode >= 6; }

// The call that is all the query does; null when it does anything else.
const Json& only_call(const Json& select) {
  constexpr std::array kIdle = {"targetList", "limitOption", "op"};
  for (const auto& [name, value] : select.items())
    if (!std::ranges::count(kIdle, name)) return nothing();
  const Json& targets = member(select, "targetList");
  if (targets.size() != 1) return nothing();
  return as(member(as(targets[0], "ResTarget"), "val"), "FuncCall");
}

}  // namespace

void Lowering::lock_named(std::string_view table, ExpressionPtr name) {
  const auto locks = schema_.find(table);
  if (!locks) return;
  Select select{.sources = {*locks}, .for_update = true};
  select.where = make(Expression::Kind::Equal, {field(ColumnId(0), name->type), std::move(name)});
  append(std::move(select));
}

void Lowering::lock_tables(const Json& node) {
  for (const Json& relation : member(node, "relations")) {
    const std::string table = text_of(as(relation, "RangeVar"), "relname");
    if (excludes_itself(number_of(node, "mode"))) lock_named(kLocksOfTables, constant(Type::Text, table));
  }
  note("LOCK TABLE: only the order that it forces between transactions that take the same lock is used");
}

// A function of the files with the same name may be what is called, by the types of its arguments or by the
// search path.
bool Lowering::calls_builtin(const Json& call, std::string_view name) const {
  const Json& written = member(call, "funcname");
  return name_of_function(written) == name &&
         (names_of(written).size() > 1 || !around_.functions.contains(name));
}

bool Lowering::takes_advisory_lock(const Json& select) {
  const Json& call = only_call(select);
  if (call.is_null() || !surely_runs_ || !calls_builtin(call, "pg_advisory_xact_lock")) return false;
  const Json& arguments = member(call, "args");
  if (arguments.size() != 1) return false;
  const Json& hash = as(arguments[0], "FuncCall");
  const bool text = calls_builtin(hash, "hashtext") && member(hash, "args").size() == 1;
  const ExpressionPtr name = lower(text ? member(hash, "args")[0] : arguments[0], nullptr);
  if (name->type != (text ? Type::Text : Type::Integer)) return false;
  lock_named(text ? kLocksOfTexts : kLocksOfNumbers, name);
  return true;
}

}  // namespace assay::sql
