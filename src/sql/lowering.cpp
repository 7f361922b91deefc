#include "sql/lowering.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "sql/errors.h"
#include "sql/tree.h"

namespace assay::sql {
namespace {

// Variables take the first row; what goes to the caller is one row when LIMIT says so.
bool one_row(const Json& select, const Into& into) {
  if (!into.variables.empty() || !into.record.empty()) return true;
  const Json& limit = member(as(select, "SelectStmt"), "limitCount");
  return number_of(member(as(limit, "A_Const"), "ival"), "ival") == 1;
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

void Lowering::declare(const std::string& name, Type type, bool is_set, ExpressionPtr value) {
  environment.insert_or_assign(name, Binding{std::move(value), type, is_set});
}

void Lowering::add_parameter(const std::string& name, Type type, bool is_set) {
  declare(name, type, is_set, build_.parameter(name, type, is_set));
  parameters.push_back(name);
}

void Lowering::assign(const std::string& name, ExpressionPtr value) {
  const auto bound = environment.find(name);
  const bool typed = bound != environment.end() && bound->second.type != Type::Other;
  const Type type = typed ? bound->second.type : value->type;
  const VariableId id = build_.local(name, type, bound != environment.end() && bound->second.is_set);
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
    all.reads.push_back(TableId(i));
    all.writes.push_back(TableId(i));
  }
  append(std::move(all));
}

void Lowering::append_change(decltype(Statement::what) what, TableId table) {
  append(std::move(what));
  const auto triggers = around_.triggers.find(table);
  if (triggers == around_.triggers.end()) return;
  note(fmt::format("a trigger of table {}: it may read and write all that it names", schema_[table].name));
  append(Opaque{"a trigger of " + schema_[table].name, triggers->second, triggers->second});
}

ExpressionPtr Lowering::call_inline(const std::string& function, std::vector<ExpressionPtr> arguments) {
  constexpr int kDeepestCall = 8;
  if (calls >= kDeepestCall) {
    note(fmt::format("function {} calls itself, or too many others: it may read and write everything",
                     function));
    opaque(function + "()");
    return unknown(Type::Other);
  }
  if (maybe_ == 0) return around_.call(*this, function, std::move(arguments));
  const VariableId evaluated = temporary("evaluated", Type::Boolean);
  append(Assign{evaluated, unknown(Type::Boolean)});
  build_.begin_if(build_.value_of(evaluated));
  const int maybe = std::exchange(maybe_, 0);
  const ExpressionPtr result = around_.call(*this, function, std::move(arguments));
  maybe_ = maybe;
  build_.end();
  return unknown(result->type, {result});
}

ExpressionPtr Lowering::expression(const Json& node) { return lower(node, nullptr); }

void Lowering::statement(const Json& node, const Into& into) {
  const std::string kind = kind_of(node);
  const Json& body = member(node, kind.c_str());
  if (kind == "SelectStmt") return deliver(query(node, nullptr, nullptr, one_row(node, into)), into);
  const auto saved_with = with_;
  if (!member(body, "withClause").is_null()) with_clause(member(body, "withClause"));
  if (kind == "InsertStmt") insert(body, into);
  else if (kind == "UpdateStmt") update(body, into);
  else if (kind == "DeleteStmt") erase(body, into);
  else if (kind == "CallStmt") lower_call(member(body, "funccall"), nullptr);
  else {
    note(fmt::format("{} is not understood: it may read and write everything", kind));
    opaque(kind);
  }
  with_ = saved_with;
}

}  // namespace assay::sql
