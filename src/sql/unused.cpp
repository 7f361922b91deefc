#include "sql/unused.h"

#include <set>

namespace assay::sql {
namespace {

// Variables that a statement or a condition names, and those that their values are made of.
class Uses {
 public:
  explicit Uses(const Program& program) {
    walk(program.body, [&](const Statement& statement, std::uint32_t) {
      std::visit([&](const auto& what) { look(what); }, statement.what);
    });
    for (std::size_t before = 0; before != used_.size();) {
      before = used_.size();
      for (const Assign* assign : assignments_)
        if (contains(assign->variable)) look(assign->value);
      for (const Loop::Carried* carried : carried_)
        if (contains(carried->round) || contains(carried->after)) look(carried->first), look(carried->next);
    }
  }
  bool contains(VariableId id) const { return used_.contains(id); }

 private:
  void look(const ExpressionPtr& expression) {
    walk(expression, [&](const Expression& part) {
      if (part.kind == Expression::Kind::Variable) used_.insert(part.variable);
    });
  }
  template <class List>
  void look_each(const List& list) {
    for (const auto& part : list) look(part.value);
  }
  void look(const Select& select) { look(select.where), look_each(select.outputs); }
  void look(const Insert& insert) {
    for (const ExpressionPtr& value : insert.values) look(value);
    look_each(insert.sets), look(insert.conflict_where), look_each(insert.returning);
  }
  void look(const Update& update) { look_each(update.sets), look(update.where), look_each(update.returning); }
  void look(const Delete& erase) { look(erase.where), look_each(erase.returning); }
  void look(const Assign& assign) { assignments_.push_back(&assign); }
  void look(const If& branch) { look(branch.condition); }
  void look(const Loop& loop) {
    look(loop.query), look(loop.from), look(loop.to), look(loop.last);
    if (!loop.array.is_none()) used_.insert(loop.array);
    for (const Loop::Carried& carried : loop.carried) carried_.push_back(&carried);
  }
  void look(const Abort&) {}
  void look(const Emit& emit) {
    for (const ExpressionPtr& value : emit.values) look(value);
  }
  void look(const Opaque&) {}

  std::set<VariableId> used_;
  std::vector<const Assign*> assignments_;
  std::vector<const Loop::Carried*> carried_;
};

void drop(Effect& effect, const Uses& uses) {
  if (!uses.contains(effect.found)) effect.found = {};
  if (!uses.contains(effect.count)) effect.count = {};
}

// True when something was taken out.
bool drop(Block& block, const Uses& uses) {
  const auto idle = [&](Statement& statement) {
    const auto* assign = std::get_if<Assign>(&statement.what);
    if (assign) return !uses.contains(assign->variable);
    const auto* branch = std::get_if<If>(&statement.what);
    return branch && branch->then.empty() && branch->otherwise.empty();
  };
  bool changed = false;
  for (Statement& statement : block) {
    if (auto* branch = std::get_if<If>(&statement.what)) {
      changed |= drop(branch->then, uses);
      changed |= drop(branch->otherwise, uses);
    }
    if (auto* loop = std::get_if<Loop>(&statement.what)) {
      changed |= drop(loop->body, uses);
      std::erase_if(loop->carried, [&](const Loop::Carried& carried) {
        return !uses.contains(carried.round) && !uses.contains(carried.after);
      });
    }
    if (auto* select = std::get_if<Select>(&statement.what)) drop(select->effect, uses);
    if (auto* insert = std::get_if<Insert>(&statement.what)) drop(insert->effect, uses);
    if (auto* update = std::get_if<Update>(&statement.what)) drop(update->effect, uses);
    if (auto* erase = std::get_if<Delete>(&statement.what)) drop(erase->effect, uses);
  }
  return std::erase_if(block, idle) > 0 || changed;
}

}  // namespace

void drop_unused(Program& program) {
  while (drop(program.body, Uses(program))) {
  }
}

bool is_used(const Program& program, VariableId variable) { return Uses(program).contains(variable); }

}  // namespace assay::sql
