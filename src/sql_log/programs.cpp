#include "sql_log/programs.h"

#include <fmt/format.h>

namespace assay::sql_log {
namespace {

// Values that differ in spelling only, a number and the same number in quotes, are equal.
std::string bare(const std::string& value) {
  const bool quoted = value.size() >= 2 && value.front() == '\'' && value.back() == '\'';
  return quoted ? value.substr(1, value.size() - 2) : value;
}

SeenProgram program_of(const SeenTransaction& transaction) {
  SeenProgram program{transaction.statements, {}};
  for (std::size_t s = 0; s < program.statements.size(); ++s)
    for (std::size_t i = 0; i < program.statements[s].what.shape.slots.size(); ++i)
      program.slots.push_back({.statement = s, .slot = i});
  return program;
}

// Slots that were alike so far stay alike if they have the same value again.
void compare_values(SeenProgram& program, const SeenTransaction& transaction) {
  std::map<std::pair<std::size_t, std::string>, std::size_t> groups;
  for (std::size_t i = 0; i < program.slots.size(); ++i) {
    SeenSlot& slot = program.slots[i];
    const auto& value = transaction.statements[slot.statement].what.values[slot.slot];
    if (program.times == 0) slot.first = value;
    slot.varied |= !value || !slot.first || bare(*value) != bare(*slot.first);
    // A value that the log does not have may be any: the slot is like no other from now on.
    const std::string text = value ? "=" + bare(*value) : fmt::format("?{}", i);
    slot.like = groups.try_emplace({slot.like, text}, i).first->second;
  }
}

// Clients may send the same statement with literals and with parameters.
void merge_sources(SeenProgram& program, const SeenTransaction& transaction) {
  for (std::size_t s = 0; s < program.statements.size(); ++s) {
    Shape& shape = program.statements[s].what.shape;
    const Shape& other = transaction.statements[s].what.shape;
    shape.binds &= other.binds;
    for (std::size_t i = 0; i < shape.slots.size(); ++i)
      if (other.slots[i].source == Slot::Source::Bound) shape.slots[i].source = Slot::Source::Bound;
  }
}

}  // namespace

void ProgramCollector::add(const SeenTransaction& transaction, std::size_t times) {
  std::string key;
  for (const SeenStatement& statement : transaction.statements) key += statement.what.shape.text + '\0';
  const auto [found, fresh] = by_shape_.try_emplace(key, programs_.size());
  if (fresh) programs_.push_back(program_of(transaction));
  SeenProgram& program = programs_[found->second];
  compare_values(program, transaction);
  merge_sources(program, transaction);
  program.times += times;
  program.levels[transaction.level] += times;
}

}  // namespace assay::sql_log
