// Blocks of PL/pgSQL, and jumps out of them: what follows a jump stands behind a guard.
#include <fmt/format.h>

#include "sql/plpgsql_body.h"

namespace assay::sql {

using Kind = Expression::Kind;

namespace {

bool same(const ExpressionPtr& a, const ExpressionPtr& b) {
  return a == b || (a->kind == Kind::Constant && b->kind == Kind::Constant && a->null == b->null &&
                    a->type == b->type && a->text == b->text);
}

}  // namespace

std::string FunctionBody::flag_name(std::size_t loop) { return fmt::format("#left {}", loop); }

std::string FunctionBody::last_name_of(std::size_t loop) { return fmt::format("#last {}", loop); }

bool FunctionBody::is_false(const ExpressionPtr& value) {
  return value->kind == Kind::Constant && value->text == "false";
}
bool FunctionBody::is_true(const ExpressionPtr& value) {
  return value->kind == Kind::Constant && value->text == "true";
}

void FunctionBody::close_to(std::size_t open) {
  while (lower_.builder().open_blocks() > open) lower_.builder().end();
}

void FunctionBody::statements(const Json& list) {
  for (const Json& statement : list) {
    if (lower_.problem()) return;
    const ExpressionPtr left = lower_.current(flag_name(loops_.size()));
    if (is_true(left)) return;
    if (!is_false(left)) guard(left);
    one(statement);
  }
}

// The rest of the block happens only when nothing jumped over it; the If stays open until the block ends.
void FunctionBody::guard(const ExpressionPtr& left) {
  const bool simple =
      left->kind == Kind::Case && left->kids.size() == 3 && is_true(left->kids[1]) && is_false(left->kids[2]);
  guards_.push_back({lower_.builder().open_blocks(), lower_.environment, simple ? left->kids[0] : left});
  lower_.builder().begin_if(simple ? left->kids[0] : left);
  lower_.builder().otherwise();
  lower_.bind(flag_name(loops_.size()), truth(false));
}

// Closes the guards opened since, and lets what happened behind them meet what was before.
void FunctionBody::close_guards(std::size_t open) {
  while (!guards_.empty() && guards_.back().open >= open) {
    Guard guard = std::move(guards_.back());
    guards_.pop_back();
    close_to(guard.open);
    guard.before[flag_name(loops_.size())].value = truth(true);
    merge(guard.left, guard.before, lower_.environment);
  }
  close_to(open);
}

void FunctionBody::nested(const Json& list) {
  const std::size_t open = lower_.builder().open_blocks();
  statements(list);
  close_guards(open);
}

// After an If: each variable that the branches left with different values becomes a Case. Wants the builder
// behind the If.
void FunctionBody::merge(const ExpressionPtr& condition, const Environment& then, Environment otherwise) {
  Environment merged;
  // The column of a record that the other branch left with a row of unknown columns.
  const auto alone = [](const std::string& name, Lowering::Binding binding, const Environment& other) {
    const auto dot = name.find('.');
    const auto record = dot == std::string::npos ? other.end() : other.find(name.substr(0, dot));
    if (record != other.end() && record->second.open())
      binding.value = typed(unknown(binding.type), binding.declared);
    return binding;
  };
  for (const auto& [name, second] : otherwise) {
    const auto first = then.find(name);
    if (first == then.end()) {
      merged.emplace(name, alone(name, second, then));
      continue;
    }
    if (same(first->second.value, second.value)) {
      merged.emplace(name, second);
      continue;
    }
    if (first->second.record || second.record) {
      // A record that nothing was assigned to has no columns that a program could use.
      Lowering::Binding row = second.fields ? second : first->second;
      row.value = unknown(Type::Other, {first->second.value, second.value});
      if (first->second.open() || second.open() ||
          (first->second.fields && second.fields && first->second.fields != second.fields))
        row.fields.reset();
      merged.emplace(name, std::move(row));
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
  for (const auto& [name, first] : then) merged.try_emplace(name, alone(name, first, otherwise));
  lower_.environment = std::move(merged);
}

// `then` and `otherwise` append the statements of the branches.
void FunctionBody::branch(const ExpressionPtr& condition, const Action& then, const Action& otherwise) {
  const Environment before = lower_.environment;
  lower_.builder().begin_if(condition);
  then();
  const Environment after_then = std::exchange(lower_.environment, before);
  lower_.builder().otherwise();
  otherwise();
  lower_.builder().end();
  merge(condition, after_then, lower_.environment);
}

void FunctionBody::leave(std::size_t from_loop, std::size_t last_of) {
  for (std::size_t loop = from_loop; loop <= loops_.size(); ++loop) lower_.bind(flag_name(loop), truth(true));
  for (std::size_t loop = last_of; loop <= loops_.size(); ++loop)
    lower_.bind(last_name_of(loop), truth(true));
}

}  // namespace assay::sql
