#include "sql/builder.h"

#include <utility>

#include "base/contract.h"

namespace assay::sql {

ProgramBuilder::ProgramBuilder(std::string name, Place place) : place_(place) {
  program_.name = std::move(name);
  program_.place = std::move(place);
}

ExpressionPtr ProgramBuilder::parameter(std::string name, Type type, bool is_set) {
  const VariableId id(program_.variables.size());
  program_.variables.push_back({std::move(name), type, is_set, true, 0});
  program_.parameters.push_back(id);
  return variable(id, type);
}

VariableId ProgramBuilder::local(std::string name, Type type, bool is_set) {
  const VariableId id(program_.variables.size());
  program_.variables.push_back({std::move(name), type, is_set, false, depth_});
  return id;
}

ExpressionPtr ProgramBuilder::value_of(VariableId id) const {
  return typed(variable(id, program_[id].type), program_[id].declared);
}

void ProgramBuilder::at(Place place) {
  place_ = std::move(place);
  ++number_;
  numbered_ = true;
  take_snapshot();
}

void ProgramBuilder::take_snapshot() {
  if (!keeps_snapshot_) snapshot_.next_statement();
}

void ProgramBuilder::enter_call(bool keeps_snapshot) {
  callers_.push_back({snapshot_, keeps_snapshot_});
  keeps_snapshot_ = keeps_snapshot;
  if (!keeps_snapshot) snapshot_ = snapshot_.of_call(++calls_);
}

void ProgramBuilder::leave_call(Place caller) {
  ASSAY_REQUIRE(!callers_.empty());
  place_ = std::move(caller);
  ++number_;
  numbered_ = true;
  snapshot_ = std::move(callers_.back().snapshot);
  keeps_snapshot_ = callers_.back().keeps_snapshot;
  callers_.pop_back();
}

Statement ProgramBuilder::placed(decltype(Statement::what) what) {
  if (!numbered_) ++number_, take_snapshot();
  return {std::move(what), place_, number_, snapshot_};
}

void ProgramBuilder::append(decltype(Statement::what) what) { block().push_back(placed(std::move(what))); }

void ProgramBuilder::begin_if(ExpressionPtr condition) {
  open_.push_back({placed(If{std::move(condition), {}, {}}), {}, false});
}

void ProgramBuilder::otherwise() {
  ASSAY_REQUIRE(!open_.empty() && std::holds_alternative<If>(open_.back().head.what));
  Open& open = open_.back();
  ASSAY_REQUIRE(!std::exchange(open.second, true));
  std::get<If>(open.head.what).then = std::exchange(open.block, {});
}

void ProgramBuilder::begin_loop(Loop loop) { open_.push_back({placed(std::move(loop)), {}, false}); }

void ProgramBuilder::hands_on(std::vector<Loop::Carried> carried, ExpressionPtr last) {
  ASSAY_REQUIRE(!block().empty() && std::holds_alternative<Loop>(block().back().what));
  Loop& loop = std::get<Loop>(block().back().what);
  loop.carried = std::move(carried);
  loop.last = std::move(last);
}

void ProgramBuilder::end() {
  ASSAY_REQUIRE(!open_.empty());
  Open open = std::move(open_.back());
  open_.pop_back();
  if (auto* loop = std::get_if<Loop>(&open.head.what)) {
    loop->body = std::move(open.block);
    --depth_;
  } else {
    If& branch = std::get<If>(open.head.what);
    (open.second ? branch.otherwise : branch.then) = std::move(open.block);
    if (branch.then.empty() && branch.otherwise.empty()) return;
  }
  block().push_back(std::move(open.head));
}

Program ProgramBuilder::finish() {
  ASSAY_REQUIRE(open_.empty());
  return std::move(program_);
}

}  // namespace assay::sql
