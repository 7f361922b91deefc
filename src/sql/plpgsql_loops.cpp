// Loops of PL/pgSQL: each round begins with variables of its own, and what one round hands to the next is not
// known.
#include <algorithm>

#include "sql/plpgsql_body.h"
#include "sql/values.h"

namespace assay::sql {

using Kind = Expression::Kind;

// The names that some statement below sets.
std::set<std::string> FunctionBody::assigned_in(const Json& node) const {
  std::set<std::string> names;
  collect_assigned(node, names);
  if (lower_.tracks_found) names.insert("found");
  if (lower_.tracks_count) names.insert("row_count");
  return names;
}

// A target of several variables has a number of its own.
void FunctionBody::insert_names(std::int64_t number, std::set<std::string>& names) const {
  names.insert(name_of(number));
  const auto index = static_cast<std::size_t>(number);
  if (index >= datums_.size()) return;
  for (const Json& part : member(as(datums_[index], "PLpgSQL_row"), "fields"))
    names.insert(text_of(part, "name"));
}

void FunctionBody::collect_assigned(const Json& node, std::set<std::string>& names) const {
  if (node.is_object()) {
    for (const char* key : {"varno", "t_varno"})
      if (const Json& number = member(node, key); number.is_number_integer())
        insert_names(number.get<std::int64_t>(), names);
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

void FunctionBody::havoc(const std::set<std::string>& names, const Variables& as) {
  for (auto& [name, binding] : lower_.environment) {
    const std::string base = name.substr(0, name.find('.'));
    if (!names.contains(name) && !names.contains(base)) continue;
    if (!binding.row_type) binding.fields.reset();
    if (const auto variable = as.find(name); variable != as.end())
      binding.value = lower_.carried(name, lower_.builder().value_of(variable->second));
    else if (binding.is_set) binding.value = set_of_anything(name, binding);
    else binding.value = lower_.carried(name, binding.type);
  }
}

// Variables for what these names stand for; sets have none.
FunctionBody::Variables FunctionBody::variables_for(const std::set<std::string>& names) {
  Variables variables;
  for (const auto& [name, binding] : lower_.environment)
    if (!binding.is_set && (names.contains(name) || names.contains(name.substr(0, name.find('.')))))
      variables.emplace(name, lower_.builder().local(name, binding.type));
  return variables;
}

// Sets are variables in the model, so an unknown one needs a name of its own.
ExpressionPtr FunctionBody::set_of_anything(const std::string& name, const Lowering::Binding& binding) {
  const VariableId id = lower_.builder().local(name, binding.type, true);
  lower_.builder().append(Assign{id, lower_.carried(name, binding.type)});
  return lower_.builder().value_of(id);
}

bool FunctionBody::leaves(const Json& node) const {
  if (!node.is_structured()) return false;
  if (node.is_object())
    for (const char* kind : {"PLpgSQL_stmt_return", "PLpgSQL_stmt_exit"})
      if (const Json& jump = as(node, kind); !jump.is_null() && (kind[13] == 'r' || flag_of(jump, "is_exit")))
        return true;
  return std::ranges::any_of(node, [&](const Json& kid) { return leaves(kid); });
}

// The builder has entered the loop (its depth counts) and the variables of the round, `round`, exist.
// `first` appends what every round begins with.
void FunctionBody::loop(const Json& body, Loop head, const std::vector<std::string>& round,
                        const Action& first) {
  const Json& inside = member(body, "body");
  head.may_stop_early |= leaves(inside);
  if (head.over == Loop::Over::While) lower_.builder().enter_loop();
  lower_.builder().begin_loop(std::move(head));
  loops_.push_back(text_of(body, "label"));
  const std::size_t level = loops_.size();
  for (const std::string& flag : {flag_name(level), last_name_of(level)})
    lower_.declare(flag, Type::Boolean, false, truth(false));
  const std::size_t open = lower_.builder().open_blocks();
  std::set<std::string> handed_on = assigned_in(inside);
  for (const std::string& name : round) handed_on.erase(name);
  const Environment before = lower_.environment;
  const Variables at_first = variables_for(handed_on);
  havoc(handed_on, at_first);
  first();
  statements(inside);
  close_guards(open);
  const Environment at_end = lower_.environment;
  for (const std::string& flag : {flag_name(level), last_name_of(level)}) lower_.environment.erase(flag);
  loops_.pop_back();
  lower_.builder().end();

  const Variables after = variables_for(handed_on);
  std::vector<Loop::Carried> carried;
  for (const auto& [name, variable] : at_first)
    if (const auto value = at_end.find(name); value != at_end.end() && after.contains(name))
      carried.push_back({variable, after.at(name), before.at(name).value, value->second.value});
  for (std::size_t i = 0; i < level; ++i)
    if (!is_false(lower_.current(flag_name(i)))) {
      // Some round may have jumped further than this loop; whether one did is open.
      const VariableId left = lower_.builder().local("left early", Type::Boolean);
      carried.push_back({{}, left, truth(false), lower_.current(flag_name(i))});
      lower_.bind(flag_name(i), lower_.builder().value_of(left));
    }
  const ExpressionPtr last = at_end.at(last_name_of(level)).value;  // merging keeps every name
  lower_.builder().hands_on(std::move(carried), is_false(last) ? nullptr : last);
  havoc(assigned_in(body), after);
}

void FunctionBody::for_query(const Json& body) {
  const Json query = parse(query_text(member(body, "query")));
  if (query.is_null()) return;
  const Into into = into_of(body);
  Select select = lower_.loop_query(query, into);
  const bool rounds = !select.sources.empty();
  loop(body, {.over = rounds ? Loop::Over::Query : Loop::Over::While, .query = std::move(select), .body = {}},
       into.record.empty() ? into.variables : std::vector{into.record}, [] {});
}

void FunctionBody::for_integers(const Json& body) {
  const auto bound = [&](const char* part) {
    return converted(evaluate(query_text(member(body, part))), {Type::Integer, false, false, "int4"},
                     Conversion::Assignment);
  };
  const ExpressionPtr from = bound("lower"), to = bound("upper");
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

void FunctionBody::for_array(const Json& body) {
  if (!member(body, "slice").is_null()) return unclear("FOREACH ... SLICE", body);
  ExpressionPtr array = evaluate(query_text(member(body, "expr")));
  if (array->kind != Kind::Variable || !lower_.builder().program()[array->variable].is_set) {
    const VariableId all = lower_.builder().local("array", array->type, true);
    lower_.builder().append(Assign{all, std::move(array)});
    array = lower_.builder().value_of(all);
  }
  const std::string name = name_of(number_of(body, "varno"));
  if (name.empty() || is_record(name)) return unclear("FOREACH of rows", body);
  lower_.builder().enter_loop();
  const VariableId element = lower_.builder().local(name, array->type);
  lower_.bind(name, lower_.builder().value_of(element));
  loop(body, {.over = Loop::Over::Array, .array = array->variable, .element = element, .body = {}}, {name},
       [] {});
}

void FunctionBody::while_loop(const Json& body, bool conditional) {
  loop(body, {.over = Loop::Over::While, .body = {}}, {}, [&] {
    if (!conditional) return;
    const ExpressionPtr test = condition(member(body, "cond"));
    for (const std::string& flag : {flag_name(loops_.size()), last_name_of(loops_.size())})
      lower_.bind(flag, make(Kind::Case, {test, truth(false), truth(true)}));
  });
}

}  // namespace assay::sql
