#include "sql/plpgsql.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "sql/errors.h"
#include "sql/tree.h"
#include "sql/type_names.h"

namespace assay::sql {
namespace {

using Kind = Expression::Kind;
using Environment = Lowering::Environment;

constexpr std::int64_t kErrorLevel = 21;  // of RAISE EXCEPTION, in PostgreSQL's elog.h

std::string flag_name(std::size_t loop) { return fmt::format("#left {}", loop); }

bool mentions(const std::string& text, std::string_view word) {
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  return std::search(text.begin(), text.end(), word.begin(), word.end(), same) != text.end();
}

bool is_false(const ExpressionPtr& value) { return value->kind == Kind::Constant && value->text == "false"; }
bool is_true(const ExpressionPtr& value) { return value->kind == Kind::Constant && value->text == "true"; }

bool same(const ExpressionPtr& a, const ExpressionPtr& b) {
  return a == b || (a->kind == Kind::Constant && b->kind == Kind::Constant && a->null == b->null &&
                    a->type == b->type && a->text == b->text);
}

class Body {
 public:
  Body(const BodyOfFunction& function, Lowering& lowering) : function_(function), lower_(lowering) {}

  void run() {
    const auto tree = parse_plpgsql(function_.create_function);
    if (!tree) {
      lower_.fail(tree.error().what, remedy_for(tree.error()));
      return;
    }
    for (const Json& datum : member(*tree, "datums")) datums_.push_back(datum);
    initialised_.assign(datums_.size(), false);
    lower_.tracks_found = mentions(function_.create_function, "found");
    lower_.tracks_count = mentions(function_.create_function, "row_count");
    lower_.declare("found", Type::Boolean, false, truth(false));
    lower_.declare("row_count", Type::Integer, false, constant(0));
    lower_.declare(flag_name(0), Type::Boolean, false, truth(false));
    lower_.declare("sqlstate", Type::Text, false, unknown(Type::Text));
    lower_.declare("sqlerrm", Type::Text, false, unknown(Type::Text));
    const std::size_t open = lower_.builder().open_blocks();
    block(as(member(*tree, "action"), "PLpgSQL_stmt_block"));
    close_to(open);
  }

 private:
  static std::string remedy_for(const Error& problem) {
    if (!problem.remedy.empty()) return problem.remedy;
    if (problem.what.find("is not a known variable") != std::string::npos)
      return "assign to plain variables, not to fields of records";
    if (problem.what.find("RETURN NEXT") != std::string::npos) return "use RETURN QUERY";
    return "this is PostgreSQL's own parser; try the function in PostgreSQL";
  }

  Place place_of(const Json& statement) const {
    const auto line = static_cast<std::size_t>(std::max<std::int64_t>(1, number_of(statement, "lineno", 1)));
    return {function_.first_line.file, function_.first_line.line + line - 1};
  }

  std::string name_of(std::int64_t number) const {
    const auto index = static_cast<std::size_t>(number);
    return index < datums_.size() ? text_of(as(datums_[index], "PLpgSQL_var"), "refname") : std::string();
  }

  // --- variables ---

  NamedType declared_type(const Json& variable) const {
    const std::string name = text_of(as(member(variable, "datatype"), "PLpgSQL_type"), "typname");
    const auto percent = name.find('%');
    if (percent == std::string::npos) return type_of(name);
    const auto dot = name.find('.');
    if (dot == std::string::npos) return {Type::Other, false, false, "record"};
    const auto table = lower_.schema().find(name.substr(0, dot));
    const auto column =
        table ? lower_.schema()[*table].find(name.substr(dot + 1, percent - dot - 1)) : std::nullopt;
    if (column) return {lower_.schema()[*table][*column].type, false, false, ""};
    // `other_variable%TYPE`, or a table that nobody declared.
    return {Type::Other, false, false, ""};
  }

  bool is_record(const std::string& name) const {
    return std::ranges::any_of(datums_, [&](const Json& datum) {
      const Json& variable = as(datum, "PLpgSQL_var");
      if (text_of(variable, "refname") != name) return false;
      const std::string type = text_of(as(member(variable, "datatype"), "PLpgSQL_type"), "typname");
      return mentions(type, "record") || mentions(type, "%rowtype") || lower_.schema().find(type).has_value();
    });
  }

  // The variables that the DECLARE in front of this block's BEGIN introduces.
  void declare_until(std::int64_t line, Environment& shadowed) {
    for (std::size_t i = 0; i < datums_.size(); ++i) {
      const Json& variable = as(datums_[i], "PLpgSQL_var");
      if (initialised_[i] || variable.is_null() || member(variable, "lineno").is_null()) continue;
      if (number_of(variable, "lineno") > line) continue;
      initialised_[i] = true;
      const std::string name = text_of(variable, "refname");
      if (const auto hidden = lower_.environment.find(name); hidden != lower_.environment.end())
        shadowed.insert(*hidden);
      const NamedType type = declared_type(variable);
      lower_.at(place_of(variable));
      lower_.declare(name, type.type, type.is_set, null_constant(type.type));
      const Json& initial = member(variable, "default_val");
      if (!initial.is_null()) evaluate_into(query_text(initial), {.variables = {name}});
    }
  }

  static std::string query_text(const Json& expression) {
    return text_of(as(expression, "PLpgSQL_expr"), "query");
  }

  Json parse(std::string text) {
    auto parsed = parse_sql(text);
    if (!parsed || parsed->empty()) {
      lower_.fail(fmt::format("{}: {}", text, parsed ? "nothing here" : parsed.error().what));
      return Json();
    }
    lower_.reads_text(std::move(text));
    return member((*parsed)[0], "stmt");
  }

  // Expressions are what SELECT could calculate, queries and all.
  void evaluate_into(const std::string& expression, const Into& into) {
    const bool found = std::exchange(lower_.tracks_found, false),
               count = std::exchange(lower_.tracks_count, false);
    if (const Json query = parse("SELECT " + expression); !query.is_null()) lower_.statement(query, into);
    lower_.tracks_found = found, lower_.tracks_count = count;
  }

  ExpressionPtr evaluate(const std::string& expression) {
    const Json query = parse("SELECT " + expression);
    const Json& select = as(query, "SelectStmt");
    const Json& targets = member(select, "targetList");
    if (targets.size() == 1 && member(select, "fromClause").is_null())
      return lower_.expression(member(as(targets[0], "ResTarget"), "val"));
    lower_.declare("#value", Type::Other, false, null_constant());
    if (!query.is_null()) lower_.statement(query, {.variables = {"#value"}});
    return lower_.current("#value");
  }

  // A condition that both branches, and what comes after them, agree on.
  ExpressionPtr condition(const Json& expression) {
    ExpressionPtr value = evaluate(query_text(expression));
    if (!contains(value, Kind::Unknown)) return value;
    const VariableId decided = lower_.builder().local("condition", Type::Boolean);
    lower_.builder().append(Assign{decided, std::move(value)});
    return lower_.builder().value_of(decided);
  }

  Into into_of(const Json& statement) const {
    Into into;
    into.strict = flag_of(statement, "strict");
    const Json& target =
        member(statement, "target").is_null() ? member(statement, "var") : member(statement, "target");
    if (const Json& record = as(target, "PLpgSQL_rec"); !record.is_null())
      into.record = text_of(record, "refname");
    if (const Json& scalar = as(target, "PLpgSQL_var"); !scalar.is_null())
      into.variables.push_back(text_of(scalar, "refname"));
    for (const Json& part : member(as(target, "PLpgSQL_row"), "fields"))
      into.variables.push_back(text_of(part, "name"));
    if (into.variables.size() == 1 && is_record(into.variables[0])) {
      into.record = into.variables[0];
      into.variables.clear();
    }
    return into;
  }

  // --- blocks and jumps ---

  void close_to(std::size_t open) {
    while (lower_.builder().open_blocks() > open) lower_.builder().end();
  }

  void statements(const Json& list) {
    for (const Json& statement : list) {
      if (lower_.problem()) return;
      const ExpressionPtr left = lower_.current(flag_name(loops_.size()));
      if (is_true(left)) return;
      if (!is_false(left)) guard(left);
      one(statement);
    }
  }

  // The rest of the block happens only when nothing jumped over it; the If stays open until the block ends.
  void guard(const ExpressionPtr& left) {
    const bool simple = left->kind == Kind::Case && left->kids.size() == 3 && is_true(left->kids[1]) &&
                        is_false(left->kids[2]);
    guards_.push_back({lower_.builder().open_blocks(), lower_.environment, simple ? left->kids[0] : left});
    lower_.builder().begin_if(simple ? left->kids[0] : left);
    lower_.builder().otherwise();
    lower_.bind(flag_name(loops_.size()), truth(false));
  }

  // Closes the guards opened since, and lets what happened behind them meet what was before.
  void close_guards(std::size_t open) {
    while (!guards_.empty() && guards_.back().open >= open) {
      Guard guard = std::move(guards_.back());
      guards_.pop_back();
      close_to(guard.open);
      guard.before[flag_name(loops_.size())].value = truth(true);
      merge(guard.left, guard.before, lower_.environment);
    }
    close_to(open);
  }

  void nested(const Json& list) {
    const std::size_t open = lower_.builder().open_blocks();
    statements(list);
    close_guards(open);
  }

  // After an If: each variable that the branches left with different values becomes a Case. Wants the builder
  // behind the If.
  void merge(const ExpressionPtr& condition, const Environment& then, Environment otherwise) {
    Environment merged;
    for (const auto& [name, second] : otherwise) {
      const auto first = then.find(name);
      if (first == then.end() || same(first->second.value, second.value)) {
        merged.emplace(name, second);
        continue;
      }
      ExpressionPtr value = make(Kind::Case, {condition, first->second.value, second.value});
      if (!name.starts_with("#")) {
        const VariableId id = lower_.builder().local(name, value->type, second.is_set);
        lower_.builder().append(Assign{id, std::move(value)});
        value = lower_.builder().value_of(id);
      }
      merged.emplace(name, Lowering::Binding{std::move(value), second.type, second.is_set});
    }
    for (const auto& [name, first] : then) merged.try_emplace(name, first);
    lower_.environment = std::move(merged);
  }

  // `then` and `otherwise` append the statements of the branches.
  template <class Then, class Otherwise>
  void branch(const ExpressionPtr& condition, Then then, Otherwise otherwise) {
    const Environment before = lower_.environment;
    lower_.builder().begin_if(condition);
    then();
    const Environment after_then = std::exchange(lower_.environment, before);
    lower_.builder().otherwise();
    otherwise();
    lower_.builder().end();
    merge(condition, after_then, lower_.environment);
  }

  void leave(std::size_t from_loop) {
    for (std::size_t loop = from_loop; loop <= loops_.size(); ++loop)
      lower_.bind(flag_name(loop), truth(true));
  }

  // --- statements ---

  void one(const Json& node) {
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

  void unclear(const std::string& kind, const Json& body) {
    lower_.note(fmt::format("{} is not understood: it may read and write everything",
                            kind == "PLpgSQL_stmt_dynexecute" ? "EXECUTE" : kind));
    lower_.opaque(kind);
    havoc(assigned_in(body));
    if (!member(body, "body").is_null())
      loop(body, {.over = Loop::Over::While, .body = {}, .may_stop_early = true}, {}, [] {});
  }

  void sql(std::string text, const Into& into) {
    const Json statement = parse(std::move(text));
    if (statement.is_null()) return;
    lower_.statement(statement, into);
  }

  void assign(const Json& body) {
    const std::string text = query_text(member(body, "expr"));
    auto cut = text.find(":=");
    std::size_t width = 2;
    if (const auto plain = text.find('='); cut == std::string::npos || plain < cut) cut = plain, width = 1;
    if (cut == std::string::npos) return lower_.fail("an assignment without := in it: " + text);
    std::string target = text.substr(0, cut);
    while (!target.empty() && std::isspace(static_cast<unsigned char>(target.back()))) target.pop_back();
    const std::string value = text.substr(cut + width);
    const auto bracket = target.find('[');
    if (bracket == std::string::npos)
      return evaluate_into(value, {.variables = {name_of(number_of(body, "varno"))}});
    const std::string array = target.substr(0, bracket);
    const ExpressionPtr before = lower_.current(array);
    if (!before) return lower_.fail("there is no variable " + array);
    lower_.note(fmt::format("an element of {} is assigned: any value of the whole is assumed", array));
    lower_.assign(array, unknown(before->type, {before, evaluate(value)}));
  }

  void if_chain(const Json& body, const Json& elsifs, std::size_t next) {
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

  void case_chain(const Json& body) {
    if (const Json& subject = member(body, "t_expr"); !subject.is_null()) {
      const std::string name = name_of(number_of(body, "t_varno"));
      lower_.declare(name, Type::Other, false, evaluate(query_text(subject)));
    }
    case_from(body, member(body, "case_when_list"), 0);
  }

  void case_from(const Json& body, const Json& whens, std::size_t next) {
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

  void raise(const Json& body) {
    if (number_of(body, "elog_level") < kErrorLevel) return;
    lower_.builder().append(Abort{text_of(body, "message")});
  }

  void check(const Json& body) {
    branch(
        condition(member(body, "cond")), [] {}, [&] { lower_.builder().append(Abort{"assertion failed"}); });
  }

  void diagnostics(const Json& body) {
    for (const Json& part : member(body, "diag_items")) {
      const Json& item = as(part, "PLpgSQL_diag_item");
      const std::string name = name_of(number_of(item, "target"));
      if (name.empty()) continue;
      const bool rows = text_of(item, "kind") == "ROW_COUNT";
      lower_.bind(name, rows ? lower_.current("row_count") : unknown(Type::Text));
    }
  }

  void return_query(const Json& body) {
    if (member(body, "query").is_null()) return unclear("RETURN QUERY EXECUTE", body);
    sql(query_text(member(body, "query")), {});
  }

  // What RETURN and RETURN NEXT give: an expression, or a variable by its number, of which the tree leaves
  // out 0.
  ExpressionPtr given(const Json& body) {
    if (const std::string text = query_text(member(body, "expr")); !text.empty()) return evaluate(text);
    return lower_.current(name_of(number_of(body, "retvarno")));
  }

  void emit(const Json& body) {
    if (const ExpressionPtr value = given(body)) lower_.builder().append(Emit{{value}});
  }

  void give_back(const Json& body) {
    std::vector<ExpressionPtr> values;
    for (const std::string& name : function_.out_parameters)
      if (const ExpressionPtr value = lower_.current(name)) values.push_back(value);
    const bool written =
        !member(body, "lineno").is_null();  // the parser ends every body with a RETURN of its own
    if (!values.empty()) lower_.builder().append(Emit{std::move(values)});
    else if (written && function_.returns_value) emit(body);
    leave(0);
  }

  void exit_or_continue(const Json& body) {
    const std::string label = text_of(body, "label");
    std::size_t loop = loops_.size();
    while (!label.empty() && loop > 0 && loops_[loop - 1] != label) --loop;
    if (loop == 0) return lower_.fail("EXIT from a block", "put the rest of the block into an IF");
    const auto jump = [&] { leave(loop); };
    if (const Json& when = member(body, "cond"); when.is_null()) jump();
    else branch(condition(when), jump, [] {});
  }

  void block(const Json& body) {
    Environment shadowed;
    declare_until(number_of(body, "lineno"), shadowed);
    if (member(body, "exceptions").is_null()) nested(member(body, "body"));
    else guarded_block(body);
    for (const auto& [name, binding] : shadowed) lower_.environment.insert_or_assign(name, binding);
  }

  // Either the body runs to its end (and a RAISE inside is not reached), or its changes are undone: then it
  // has only read, its variables may have any value, and one of the handlers runs.
  void guarded_block(const Json& body) {
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

  void handlers(const Json& list, std::size_t next) {
    if (next == list.size()) return lower_.builder().append(Abort{"an exception that nobody handles"});
    const VariableId chosen = lower_.builder().local("handler", Type::Boolean);
    lower_.builder().append(Assign{chosen, unknown(Type::Boolean)});
    branch(
        lower_.builder().value_of(chosen),
        [&] { nested(member(as(list[next], "PLpgSQL_exception"), "action")); },
        [&] { handlers(list, next + 1); });
  }

  // Tables that are named anywhere in the SQL of a block: by their names, which is more than what is read.
  std::vector<TableId> tables_in(const Json& body) const {
    const std::string text = body.dump();
    std::vector<TableId> tables;
    for (std::size_t i = 0; i < lower_.schema().tables.size(); ++i)
      if (mentions(text, lower_.schema().tables[i].name)) tables.push_back(TableId(i));
    return tables;
  }

  // --- loops ---

  // The names that some statement below sets.
  std::set<std::string> assigned_in(const Json& node) const {
    std::set<std::string> names;
    collect_assigned(node, names);
    if (lower_.tracks_found) names.insert("found");
    if (lower_.tracks_count) names.insert("row_count");
    return names;
  }

  void collect_assigned(const Json& node, std::set<std::string>& names) const {
    if (node.is_object()) {
      for (const char* key : {"varno", "t_varno"})
        if (const Json& number = member(node, key); number.is_number_integer())
          names.insert(name_of(number.get<std::int64_t>()));
      if (const Json& target = member(node, "target"); target.is_number_integer())
        names.insert(name_of(target.get<std::int64_t>()));
      if (const Json& body = as(node, "PLpgSQL_stmt_assign");
          !body.is_null() && member(body, "varno").is_null()) {
        const std::string text = query_text(member(body, "expr"));
        names.insert(text.substr(0, text.find_first_of("[ :=")));
      }
      if (const Json& record = as(node, "PLpgSQL_rec"); !record.is_null())
        names.insert(text_of(record, "refname"));
      if (const Json& variable = as(member(node, "var"), "PLpgSQL_var"); !variable.is_null())
        names.insert(text_of(variable, "refname"));
    }
    if (node.is_structured())
      for (const Json& kid : node) collect_assigned(kid, names);
  }

  void havoc(const std::set<std::string>& names) {
    for (auto& [name, binding] : lower_.environment) {
      const std::string base = name.substr(0, name.find('.'));
      if (names.contains(name) || names.contains(base))
        binding.value = binding.is_set ? set_of_anything(name, binding) : lower_.carried(name, binding.type);
    }
  }

  // Sets are variables in the model, so an unknown one needs a name of its own.
  ExpressionPtr set_of_anything(const std::string& name, const Lowering::Binding& binding) {
    const VariableId id = lower_.builder().local(name, binding.type, true);
    lower_.builder().append(Assign{id, lower_.carried(name, binding.type)});
    return lower_.builder().value_of(id);
  }

  bool leaves(const Json& node) const {
    if (!node.is_structured()) return false;
    if (node.is_object())
      for (const char* kind : {"PLpgSQL_stmt_return", "PLpgSQL_stmt_exit"})
        if (const Json& jump = as(node, kind);
            !jump.is_null() && (kind[13] == 'r' || flag_of(jump, "is_exit")))
          return true;
    return std::ranges::any_of(node, [&](const Json& kid) { return leaves(kid); });
  }

  // The builder has entered the loop (its depth counts) and the variables of the round, `round`, exist.
  // `first` appends what every round begins with.
  template <class First>
  void loop(const Json& body, Loop head, const std::vector<std::string>& round, First first) {
    const Json& inside = member(body, "body");
    head.may_stop_early |= leaves(inside);
    if (head.over == Loop::Over::While) lower_.builder().enter_loop();
    lower_.builder().begin_loop(std::move(head));
    loops_.push_back(text_of(body, "label"));
    lower_.declare(flag_name(loops_.size()), Type::Boolean, false, truth(false));
    const std::size_t open = lower_.builder().open_blocks();
    std::set<std::string> handed_on = assigned_in(inside);
    for (const std::string& name : round) handed_on.erase(name);
    havoc(handed_on);
    first();
    statements(inside);
    close_guards(open);
    lower_.environment.erase(flag_name(loops_.size()));
    loops_.pop_back();
    lower_.builder().end();
    havoc(assigned_in(body));
    for (std::size_t i = 0; i <= loops_.size(); ++i)
      if (!is_false(lower_.current(flag_name(i)))) {
        // Some round may have jumped further than this loop; whether one did is open.
        const VariableId left = lower_.builder().local("left early", Type::Boolean);
        lower_.builder().append(Assign{left, unknown(Type::Boolean)});
        lower_.bind(flag_name(i), lower_.builder().value_of(left));
      }
  }

  void for_query(const Json& body) {
    const Json query = parse(query_text(member(body, "query")));
    if (query.is_null()) return;
    const Into into = into_of(body);
    Select select = lower_.loop_query(query, into);
    const bool rounds = !select.sources.empty();
    loop(body,
         {.over = rounds ? Loop::Over::Query : Loop::Over::While, .query = std::move(select), .body = {}},
         into.record.empty() ? into.variables : std::vector{into.record}, [] {});
  }

  void for_integers(const Json& body) {
    const ExpressionPtr from = evaluate(query_text(member(body, "lower")));
    const ExpressionPtr to = evaluate(query_text(member(body, "upper")));
    const bool reverse = flag_of(body, "reverse");
    const std::string name = text_of(as(member(body, "var"), "PLpgSQL_var"), "refname");
    lower_.builder().enter_loop();
    const VariableId element = lower_.builder().local(name);
    lower_.declare(name, Type::Integer, false, lower_.builder().value_of(element));
    Loop head{.over = Loop::Over::Integers,
              .element = element,
              .from = reverse ? to : from,
              .to = reverse ? from : to,
              .body = {}};
    if (!member(body, "step").is_null()) head.may_stop_early = true;
    loop(body, std::move(head), {name}, [] {});
  }

  void for_array(const Json& body) {
    ExpressionPtr array = evaluate(query_text(member(body, "expr")));
    if (array->kind != Kind::Variable || !lower_.builder().program()[array->variable].is_set) {
      const VariableId all = lower_.builder().local("array", array->type, true);
      lower_.builder().append(Assign{all, std::move(array)});
      array = lower_.builder().value_of(all);
    }
    const std::string name = name_of(number_of(body, "varno"));
    lower_.builder().enter_loop();
    const VariableId element = lower_.builder().local(name, array->type);
    lower_.bind(name, lower_.builder().value_of(element));
    loop(body, {.over = Loop::Over::Array, .array = array->variable, .element = element, .body = {}}, {name},
         [] {});
  }

  void while_loop(const Json& body, bool conditional) {
    loop(body, {.over = Loop::Over::While, .body = {}}, {}, [&] {
      if (!conditional) return;
      const ExpressionPtr test = condition(member(body, "cond"));
      lower_.bind(flag_name(loops_.size()), make(Kind::Case, {test, truth(false), truth(true)}));
    });
  }

  struct Guard {
    std::size_t open;    // blocks around it
    Environment before;  // what holds when it was jumped over
    ExpressionPtr left;  // true when it was
  };

  const BodyOfFunction& function_;
  Lowering& lower_;
  std::vector<Json> datums_;
  std::vector<bool> initialised_;
  std::vector<std::string> loops_;  // labels of the loops around
  std::vector<Guard> guards_;
};

}  // namespace

void lower_plpgsql(const BodyOfFunction& function, Lowering& lowering) { Body(function, lowering).run(); }

}  // namespace assay::sql
