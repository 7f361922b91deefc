#include "sql/lowering.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "sql/errors.h"
#include "sql/isolation.h"
#include "sql/settings.h"
#include "sql/tree.h"
#include "sql/understood.h"
#include "sql/values.h"
#include "sql/words.h"

namespace assay::sql {
namespace {

// Variables take the first row; what goes to the caller is one row when LIMIT says so.
bool one_row(const Json& select, const Into& into) {
  if (!into.variables.empty() || !into.record.empty()) return true;
  const Json& limit = member(as(select, "SelectStmt"), "limitCount");
  return number_of(member(as(limit, "A_Const"), "ival"), "ival") == 1;
}

const Json& value_of_argument(const Json& argument) {
  const Json& named = as(argument, "NamedArgExpr");
  return named.is_null() ? argument : member(named, "arg");
}

std::vector<ExpressionPtr> values_of(const std::vector<Given>& given) {
  std::vector<ExpressionPtr> values;
  for (const Given& argument : given) values.push_back(argument.value);
  return values;
}

}  // namespace

Lowering::Lowering(const Schema& schema, const Surroundings& surroundings, std::vector<Note>& notes,
                   std::string name, Place place)
    : schema_(schema),
      around_(surroundings),
      notes_(notes),
      build_(std::move(name), place),
      place_(std::move(place)) {}

void Lowering::fail(std::string what, std::string remedy) {
  if (!problem_) problem_ = error_at(place_, std::move(what), std::move(remedy));
}

void Lowering::note(std::string text) {
  const auto same = [&](const Note& other) {
    return other.text == text && other.place.line == place_.line && other.place.file == place_.file;
  };
  if (std::ranges::none_of(notes_, same)) notes_.push_back({place_, std::move(text)});
}

void Lowering::at(const Place& place) {
  place_ = place;
  build_.at(place);
}

void Lowering::enter_call(const Called& function) {
  ++calls_;
  callers_.push_back(
      {place_, text_, text_known_, surely_runs_, std::exchange(maybe_, 0), std::exchange(unsure_, 0)});
  surely_runs_ &= function.is_volatile;
  build_.enter_call(function.keeps_snapshot);
}

void Lowering::leave_call() {
  Caller& caller = callers_.back();
  place_ = std::move(caller.place);
  text_ = std::move(caller.text);
  text_known_ = caller.text_known;
  surely_runs_ = caller.surely_runs;
  maybe_ = caller.maybe;
  unsure_ = caller.unsure;
  build_.leave_call(place_);
  callers_.pop_back();
}

void Lowering::begin_if(ExpressionPtr condition) {
  const VariableId decided = temporary("runs", Type::Boolean);
  append(Assign{decided, std::move(condition)});
  build_.begin_if(build_.value_of(decided));
}

void Lowering::declare(const std::string& name, Type type, bool is_set, ExpressionPtr value) {
  drop_fields(name);
  environment.insert_or_assign(name, Binding{std::move(value), type, is_set});
}

// A type that is not known to be a scalar may be a row type. Its columns are known when it is a table's.
void Lowering::declare(const std::string& name, const NamedType& type, ExpressionPtr value) {
  drop_fields(name);
  Binding binding{value, type.type, type.is_set, type.declared};
  binding.record = type.declared == "record";
  binding.row_type = !type.is_set && !binding.record && !is_scalar_type(type.declared);
  const auto table = binding.row_type && !around_.unclear.contains(type.declared)
                         ? schema_.find(type.declared)
                         : std::nullopt;
  if (table && schema_[*table].unclear.empty()) {
    std::vector<ExpressionPtr> values;
    for (const Column& column : schema_[*table].columns)
      values.push_back(value->kind == Expression::Kind::Constant && value->null
                           ? null_constant(column.type)
                           : unknown(column.type, {value}));
    declare_row(name, *table, values);
    binding.fields = environment.at(name).fields;
  }
  binding.record |= binding.row_type;
  environment.insert_or_assign(name, std::move(binding));
}

void Lowering::declare_row(const std::string& name, TableId table, const std::vector<ExpressionPtr>& values) {
  drop_fields(name);
  Binding row{unknown(Type::Other, values), Type::Other, false, schema_[table].name, {}, true, true};
  row.fields.emplace();
  for (std::size_t i = 0; i < schema_[table].columns.size(); ++i) {
    const Column& column = schema_[table].columns[i];
    row.fields->push_back(column.name);
    environment.insert_or_assign(name + "." + column.name,
                                 Binding{values[i], column.type, false, column.declared});
  }
  environment.insert_or_assign(name, std::move(row));
}

void Lowering::drop_fields(const std::string& record) {
  std::erase_if(environment, [&](const auto& bound) { return bound.first.starts_with(record + "."); });
}

void Lowering::forget_shape(const std::string& record) {
  const auto bound = environment.find(record);
  if (bound == environment.end() || bound->second.row_type) return;
  bound->second.fields.reset();
}

void Lowering::add_parameter(const std::string& name, const NamedType& type) {
  const ExpressionPtr value = build_.parameter(name, type.type, type.is_set);
  build_.program().variables.back().declared = type.declared;
  declare(name, type, typed(value, type.declared));
  parameters.push_back(name);
}

void Lowering::forget(const std::vector<std::string>& names) {
  for (auto& [name, binding] : environment) {
    const std::string record = name.substr(0, name.find('.'));
    if (!std::ranges::count(names, name) && !std::ranges::count(names, record)) continue;
    const VariableId id = build_.local(name, binding.type, binding.is_set);
    build_.program().variables.back().declared = binding.declared;
    append(Assign{id, unknown(binding.type)});
    binding.value = build_.value_of(id);
    if (!binding.row_type) binding.fields.reset();
  }
}

void Lowering::forget(const Into& into) {
  std::vector<std::string> names = into.variables;
  if (!into.record.empty()) {
    names.push_back(into.record);
    if (!environment.contains(into.record)) declare(into.record, Type::Other, false, unknown(Type::Other));
  }
  names.insert(names.end(), {"found", "row_count"});
  forget(names);
}

void Lowering::not_understood(const std::string& what) {
  note(fmt::format("{} is not understood: it may read and write everything", what));
  opaque(what);
}

bool Lowering::reads_more_than(const std::string& text) const {
  for (const auto& [view, query] : around_.views)
    if (has_word(text, lowered(view))) return true;
  for (const std::string& function : around_.functions)
    if (has_word(text, lowered(function))) return true;
  return !around_.triggers.empty() || !around_.formulas.empty() || !schema_.partitions.empty() ||
         has_word(text, "execute");
}

bool Lowering::has_gaps(const Json& node) {
  const auto gaps = gaps_in(node);
  for (const std::string& gap : gaps) not_understood(gap);
  return !gaps.empty();
}

void Lowering::assign(const std::string& name, ExpressionPtr value) {
  const auto bound = environment.find(name);
  const bool typed = bound != environment.end() && bound->second.type != Type::Other;
  const Type type = typed ? bound->second.type : value->type;
  const std::string declared = typed ? bound->second.declared : value->declared;
  const bool is_set = bound != environment.end() && bound->second.is_set;
  value = converted(value, {type, is_set, false, declared}, Conversion::Assignment);
  const VariableId id = build_.local(name, type, is_set);
  build_.program().variables.back().declared = declared;
  append(Assign{id, std::move(value)});
  bind(name, build_.value_of(id));
}

void Lowering::bind(const std::string& name, ExpressionPtr value) {
  const Type type = value->type;
  const auto [place, fresh] = environment.try_emplace(name, Binding{value, type, false});
  if (!fresh) place->second.value = std::move(value);
}

ExpressionPtr Lowering::current(std::string_view name) const {
  const auto found = environment.find(name);
  return found == environment.end() ? nullptr : found->second.value;
}

ExpressionPtr Lowering::carried(const std::string& name, Type type) { return carried(name, unknown(type)); }

ExpressionPtr Lowering::carried(const std::string& name, ExpressionPtr value) {
  carried_.emplace_back(
      value,
      Note{place_, fmt::format("{} goes from one round of a loop to the next: any value is assumed", name)});
  return value;
}

// Of the values that loops carry, those matter that reach a statement or a condition, through assignments
// too.
void Lowering::drop_idle_notes() {
  std::set<const Expression*> reached;
  std::set<VariableId> wanted;
  const auto want = [&](const ExpressionPtr& expression) {
    walk(expression, [&](const Expression& part) {
      reached.insert(&part);
      if (part.kind == Expression::Kind::Variable) wanted.insert(part.variable);
    });
  };
  const auto want_all = [&](const auto& list) {
    for (const auto& part : list) want(part.value);
  };
  std::vector<const Assign*> assignments;
  walk(build_.program().body, [&](const Statement& statement, std::uint32_t) {
    if (const auto* select = std::get_if<Select>(&statement.what))
      want(select->where), want_all(select->outputs);
    if (const auto* change = std::get_if<Update>(&statement.what))
      want(change->where), want_all(change->sets);
    if (const auto* change = std::get_if<Delete>(&statement.what)) want(change->where);
    if (const auto* branch = std::get_if<If>(&statement.what)) want(branch->condition);
    if (const auto* assign = std::get_if<Assign>(&statement.what)) assignments.push_back(assign);
    if (const auto* loop = std::get_if<Loop>(&statement.what)) {
      want(loop->query.where), want_all(loop->query.outputs), want(loop->from), want(loop->to);
      wanted.insert(loop->array);
    }
    if (const auto* change = std::get_if<Insert>(&statement.what)) {
      for (const ExpressionPtr& value : change->values) want(value);
      want(change->conflict_where), want_all(change->sets);
    }
  });
  for (std::size_t before = 0; before != wanted.size();) {
    before = wanted.size();
    for (const Assign* assign : assignments)
      if (wanted.contains(assign->variable)) want(assign->value);
  }
  for (const auto& [value, text] : carried_) {
    if (!reached.contains(value.get())) continue;
    const auto same = [&](const Note& other) {
      return other.text == text.text && other.place.line == text.place.line;
    };
    if (std::ranges::none_of(notes_, same)) notes_.push_back(text);
  }
  carried_.clear();
}

VariableId Lowering::temporary(std::string name, Type type, bool is_set) {
  const VariableId id = build_.local(std::move(name), type, is_set);
  unnamed_.insert(id);
  return id;
}

void Lowering::track(Effect& effect) {
  if (tracks_found) {
    effect.found = temporary("found", Type::Boolean);
    bind("found", build_.value_of(effect.found));
  }
  if (tracks_count) {
    effect.count = temporary("row_count", Type::Integer);
    bind("row_count", build_.value_of(effect.count));
  }
}

void Lowering::opaque(std::string what) {
  Opaque all{std::move(what)};
  for (std::size_t i = 0; i < schema_.tables.size(); ++i) {
    if (schema_.tables[i].of_locks) continue;
    all.reads.push_back(TableId(i));
    all.writes.push_back(TableId(i));
  }
  append(std::move(all));
}

ExpressionPtr Lowering::call_inline(const std::string& function, std::vector<Given> given, bool on_rows) {
  constexpr std::size_t kDeepestCall = 8;
  // One that calls itself, if only in the default of a parameter, would be called again in its own place, and
  // so on.
  if (inlined_.contains(function) || callers_.size() > kDeepestCall || calls_ >= kMostCalls) {
    not_understood(fmt::format("function {}, which calls itself or too many others,", function));
    return varying(Type::Other, values_of(given));
  }
  inlined_.insert(function);
  const ExpressionPtr result = call_once(function, std::move(given), on_rows);
  inlined_.erase(function);
  return result;
}

// The body has a text of its own, and so have defaults of its parameters.
ExpressionPtr Lowering::put_in_place(const std::string& function, const std::vector<Given>& given) {
  const std::string text = text_;
  const bool known = text_known_;
  ExpressionPtr result = around_.call(*this, function, given);
  text_ = text, text_known_ = known;
  return result;
}

ExpressionPtr Lowering::call_once(const std::string& function, std::vector<Given> given, bool on_rows) {
  if (on_rows) {
    // Once for each row, with what the row has: any number of times, with any arguments.
    std::vector<ExpressionPtr> arguments = values_of(given);
    for (auto& [name, argument] : given)
      if (depends_on_row(argument)) argument = typed(unknown(argument->type), argument->declared);
    build_.enter_loop();
    build_.begin_loop({.over = Loop::Over::While, .body = {}});
    const ExpressionPtr result = put_in_place(function, given);
    build_.end();
    return typed(varying(result->type, std::move(arguments)), result->declared);
  }
  if (maybe_ == 0 && unsure_ == 0) return put_in_place(function, given);
  begin_if(unknown(Type::Boolean));
  const ExpressionPtr result = put_in_place(function, given);
  build_.end();
  return unknown(result->type, {result});
}

ExpressionPtr Lowering::expression(const Json& node) {
  return has_gaps(node) ? unknown(Type::Other) : lower(node, nullptr);
}

void Lowering::statement(const Json& node, const Into& into) {
  const std::string kind = kind_of(node);
  const Json& body = member(node, kind.c_str());
  if (has_gaps(node)) return forget(into);
  if (kind == "LockStmt") return lock_tables(body);
  if (kind == "VariableSetStmt" && !isolation_in(node) && is_harmless_setting(text_of(body, "name"))) return;
  if (kind == "SelectStmt" && takes_advisory_lock(body)) return;
  if (kind == "SelectStmt") return deliver(query(node, nullptr, nullptr, one_row(node, into)), into);
  const auto saved_with = with_;
  if (!member(body, "withClause").is_null()) with_clause(member(body, "withClause"));
  if (kind == "InsertStmt") insert(body, into);
  else if (kind == "UpdateStmt") update(body, into);
  else if (kind == "DeleteStmt") erase(body, into);
  else if (kind == "CallStmt") {
    lower_call(member(body, "funccall"), nullptr);
    // What an INOUT parameter brings back.
    std::vector<std::string> given = {"found", "row_count"};
    for (const Json& argument : member(member(body, "funccall"), "args"))
      if (const Json& column = as(value_of_argument(argument), "ColumnRef"); !column.is_null())
        given.push_back(names_of(member(column, "fields")).front());
    forget(given);
    forget(into);
  } else {
    not_understood(kind);
    forget(into);
  }
  with_ = saved_with;
}

}  // namespace assay::sql
