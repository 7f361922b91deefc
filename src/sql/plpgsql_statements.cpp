// The statements of PL/pgSQL, one by one; loops are in plpgsql_loops.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "sql/plpgsql_body.h"
#include "sql/words.h"

namespace assay::sql {

namespace {

constexpr std::int64_t kErrorLevel = 21;  // of RAISE EXCEPTION, in PostgreSQL's elog.h

}  // namespace

void FunctionBody::one(const Json& node) {
  const std::string kind = kind_of(node);
  const Json& body = member(node, kind.c_str());
  if (!member(body, "lineno").is_null()) lower_.at(place_of(body));
  if (kind == "PLpgSQL_stmt_block") block(body);
  else if (kind == "PLpgSQL_stmt_assign") assign(body);
  else if (kind == "PLpgSQL_stmt_if") if_chain(body, member(body, "elsif_list"), 0);
  else if (kind == "PLpgSQL_stmt_case") case_chain(body);
  else if (kind == "PLpgSQL_stmt_execsql") sql(query_text(member(body, "sqlstmt")), into_of(body));
  else if (kind == "PLpgSQL_stmt_perform") sql(query_text(member(body, "expr")), {});
  else if (kind == "PLpgSQL_stmt_call") sql(query_text(member(body, "expr")), {});
  else if (kind == "PLpgSQL_stmt_return_query") return_query(body);
  else if (kind == "PLpgSQL_stmt_return_next") emit(body);
  else if (kind == "PLpgSQL_stmt_return") give_back(body);
  else if (kind == "PLpgSQL_stmt_exit") exit_or_continue(body);
  else if (kind == "PLpgSQL_stmt_raise") raise(body);
  else if (kind == "PLpgSQL_stmt_assert") check(body);
  else if (kind == "PLpgSQL_stmt_getdiag") diagnostics(body);
  else if (kind == "PLpgSQL_stmt_fors") for_query(body);
  else if (kind == "PLpgSQL_stmt_fori") for_integers(body);
  else if (kind == "PLpgSQL_stmt_foreach_a") for_array(body);
  else if (kind == "PLpgSQL_stmt_while") while_loop(body, true);
  else if (kind == "PLpgSQL_stmt_loop") while_loop(body, false);
  else if (kind == "PLpgSQL_stmt_commit" || kind == "PLpgSQL_stmt_rollback")
    lower_.fail("COMMIT or ROLLBACK inside a procedure", "make each transaction a procedure of its own");
  else if (kind != "PLpgSQL_stmt_null") unclear(kind, body);
}

void FunctionBody::unclear(const std::string& kind, const Json& body) {
  const std::string what = kind == "PLpgSQL_stmt_dynexecute" ? "EXECUTE" : kind;
  lower_.not_understood(what);
  lower_.forget(into_of(body));
  havoc(assigned_in(body));
  if (!member(body, "body").is_null())
    loop(body, {.over = Loop::Over::While, .body = {}, .may_stop_early = true}, {}, [] {});
}

void FunctionBody::sql(std::string text, const Into& into) {
  const Json statement = parse(std::move(text));
  if (statement.is_null()) return;
  lower_.statement(statement, into);
}

void FunctionBody::assign(const Json& body) {
  const std::string text = query_text(member(body, "expr"));
  auto cut = text.find(":=");
  std::size_t width = 2;
  if (const auto plain = text.find('='); cut == std::string::npos || plain < cut) cut = plain, width = 1;
  if (cut == std::string::npos) return lower_.fail("an assignment without := in it: " + text);
  std::string target = text.substr(0, cut);
  while (!target.empty() && std::isspace(static_cast<unsigned char>(target.back()))) target.pop_back();
  const std::string value = text.substr(cut + width);
  const auto bracket = target.find('[');
  if (bracket == std::string::npos) {
    const std::string name = name_of(number_of(body, "varno"));
    return set_variable(name, value);
  }
  const std::string array = target.substr(0, bracket);
  const ExpressionPtr before = lower_.current(array);
  if (!before) return lower_.fail("there is no variable " + array);
  lower_.note(fmt::format("an element of {} is assigned: any value of the whole is assumed", array));
  lower_.assign(array, unknown(before->type, {before, evaluate(value)}));
}

void FunctionBody::if_chain(const Json& body, const Json& elsifs, std::size_t next) {
  const bool first = next == 0;
  const Json& here = first ? body : as(elsifs[next - 1], "PLpgSQL_if_elsif");
  const ExpressionPtr test = condition(member(here, "cond"));
  branch(
      test, [&] { nested(member(here, first ? "then_body" : "stmts")); },
      [&] {
        if (next < elsifs.size()) if_chain(body, elsifs, next + 1);
        else nested(member(body, "else_body"));
      });
}

void FunctionBody::case_chain(const Json& body) {
  if (const Json& subject = member(body, "t_expr"); !subject.is_null()) {
    const std::string name = name_of(number_of(body, "t_varno"));
    lower_.declare(name, Type::Other, false, evaluate(query_text(subject)));
  }
  case_from(body, member(body, "case_when_list"), 0);
}

void FunctionBody::case_from(const Json& body, const Json& whens, std::size_t next) {
  if (next == whens.size()) {
    if (flag_of(body, "have_else")) nested(member(body, "else_stmts"));
    else lower_.builder().append(Abort{"case not found"});
    return;
  }
  const Json& when = as(whens[next], "PLpgSQL_case_when");
  branch(
      condition(member(when, "expr")), [&] { nested(member(when, "stmts")); },
      [&] { case_from(body, whens, next + 1); });
}

void FunctionBody::raise(const Json& body) {
  for (const Json& part : member(body, "params")) evaluate(query_text(part));
  for (const Json& part : member(body, "options"))
    evaluate(query_text(member(as(part, "PLpgSQL_raise_option"), "expr")));
  if (number_of(body, "elog_level") < kErrorLevel) return;
  lower_.builder().append(Abort{text_of(body, "message")});
}

void FunctionBody::check(const Json& body) {
  branch(
      condition(member(body, "cond")), [] {}, [&] { lower_.builder().append(Abort{"assertion failed"}); });
}

void FunctionBody::diagnostics(const Json& body) {
  for (const Json& part : member(body, "diag_items")) {
    const Json& item = as(part, "PLpgSQL_diag_item");
    const std::string name = name_of(number_of(item, "target"));
    if (name.empty()) continue;
    const bool rows = text_of(item, "kind") == "ROW_COUNT";
    lower_.bind(name, rows ? lower_.current("row_count") : unknown(Type::Text));
  }
}

void FunctionBody::return_query(const Json& body) {
  if (member(body, "query").is_null()) return unclear("RETURN QUERY EXECUTE", body);
  sql(query_text(member(body, "query")), {});
}

// What RETURN and RETURN NEXT give: an expression, or a variable by its number, of which the tree leaves
// out 0.
ExpressionPtr FunctionBody::given(const Json& body) {
  if (const std::string text = query_text(member(body, "expr")); !text.empty()) return evaluate(text);
  return lower_.current(name_of(number_of(body, "retvarno")));
}

void FunctionBody::emit(const Json& body) {
  if (const ExpressionPtr value = given(body)) lower_.builder().append(Emit{{value}});
}

// NEW and OLD are the row; NULL passes it over; anything else is some row.
void FunctionBody::decide_row(const Json& body) {
  const std::string value = lowered(trimmed(query_text(member(body, "expr"))));
  const std::string event = lower_.current("tg_op")->text;
  const bool no_such_row = (value == "new" && event == "DELETE") || (value == "old" && event == "INSERT");
  if (value == "null" || no_such_row) {
    lower_.bind("#skips", truth(true));
  } else if (value != "new" && value != "old" && !value.empty()) {
    evaluate(value);
    lower_.forget(std::vector<std::string>{"new"});
    lower_.bind("#skips", unknown(Type::Boolean));
  } else if (value == "old") {
    // An UPDATE that keeps the row as it was; a DELETE has no new row.
    for (auto& [name, binding] : lower_.environment)
      if (name.starts_with("new."))
        if (const ExpressionPtr old = lower_.current("old." + name.substr(4))) binding.value = old;
  }
}

void FunctionBody::give_back(const Json& body) {
  if (function_.is_trigger) {
    decide_row(body);
    return leave(0, 1);
  }
  std::vector<ExpressionPtr> values;
  for (const std::string& name : function_.out_parameters)
    if (const ExpressionPtr value = lower_.current(name)) values.push_back(value);
  const bool written =
      !member(body, "lineno").is_null();  // the parser ends every body with a RETURN of its own
  if (!values.empty()) lower_.builder().append(Emit{std::move(values)});
  else if (written && function_.returns_value) emit(body);
  leave(0, 1);
}

void FunctionBody::exit_or_continue(const Json& body) {
  const std::string label = text_of(body, "label");
  std::size_t loop = loops_.size();
  while (!label.empty() && loop > 0 && loops_[loop - 1] != label) --loop;
  if (loop == 0) return lower_.fail("EXIT from a block", "put the rest of the block into an IF");
  const auto jump = [&] { leave(loop, flag_of(body, "is_exit") ? loop : loop + 1); };
  if (const Json& when = member(body, "cond"); when.is_null()) jump();
  else branch(condition(when), jump, [] {});
}

void FunctionBody::block(const Json& body) {
  Environment shadowed;
  declare_until(number_of(body, "lineno"), shadowed);
  if (member(body, "exceptions").is_null()) nested(member(body, "body"));
  else guarded_block(body);
  for (const auto& [name, binding] : shadowed)
    if (name.find('.') == std::string::npos) lower_.drop_fields(name);
  for (const auto& [name, binding] : shadowed) lower_.environment.insert_or_assign(name, binding);
}

// Either the body runs to its end (and a RAISE inside is not reached), or its changes are undone: then it
// has only read, its variables may have any value, and one of the handlers runs.
void FunctionBody::guarded_block(const Json& body) {
  lower_.note("EXCEPTION: the block may fail anywhere, and any of its handlers may run");
  const VariableId works = lower_.builder().local("block works", Type::Boolean);
  lower_.builder().append(Assign{works, unknown(Type::Boolean)});
  const auto read = tables_in(body);
  branch(
      lower_.builder().value_of(works), [&] { nested(member(body, "body")); },
      [&] {
        lower_.builder().append(Opaque{"a block that was rolled back", read, {}});
        havoc(assigned_in(member(body, "body")));
        handlers(member(as(member(body, "exceptions"), "PLpgSQL_exception_block"), "exc_list"), 0);
      });
}

void FunctionBody::handlers(const Json& list, std::size_t next) {
  if (next == list.size()) return lower_.builder().append(Abort{"an exception that nobody handles"});
  const VariableId chosen = lower_.builder().local("handler", Type::Boolean);
  lower_.builder().append(Assign{chosen, unknown(Type::Boolean)});
  branch(
      lower_.builder().value_of(chosen),
      [&] { nested(member(as(list[next], "PLpgSQL_exception"), "action")); },
      [&] { handlers(list, next + 1); });
}

// Tables that are named anywhere in the SQL of a block: by their names, which is more than what is read.
std::vector<TableId> FunctionBody::tables_in(const Json& body) const {
  const std::string text = body.dump();
  std::vector<TableId> tables;
  const bool all = lower_.reads_more_than(text);
  for (std::size_t i = 0; i < lower_.schema().tables.size(); ++i)
    if (all || mentions(text, lowered(lower_.schema().tables[i].name))) tables.push_back(TableId(i));
  return tables;
}

}  // namespace assay::sql
