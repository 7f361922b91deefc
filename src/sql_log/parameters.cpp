#include "sql_log/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>

#include "sql/words.h"

namespace assay::sql_log {
namespace {

const Slot& slot_of(const SeenProgram& program, const SeenSlot& seen) {
  return program.statements[seen.statement].what.shape.slots[seen.slot];
}

bool is_constant(const SeenProgram& program, const SeenSlot& seen) {
  if (seen.varied || !seen.first) return false;
  const Slot& slot = slot_of(program, seen);
  return slot.source == Slot::Source::Word ||
         (slot.source == Slot::Source::Literal && program.statements[seen.statement].what.shape.binds);
}

// For each slot the first one that is the same parameter.
std::vector<std::size_t> unify(const SeenProgram& program, const ColumnRoots& roots) {
  std::vector<std::size_t> same(program.slots.size());
  std::iota(same.begin(), same.end(), 0);
  std::map<std::pair<std::size_t, std::string>, std::size_t> first;  // by likeness and column
  for (std::size_t i = 0; i < program.slots.size(); ++i) {
    const SeenSlot& seen = program.slots[i];
    if (!seen.varied) continue;
    for (const std::string& column : slot_of(program, seen).columns) {
      const std::size_t other = first.try_emplace({seen.like, roots.root(column)}, same[i]).first->second;
      const std::size_t low = std::min(same[other], same[i]), high = std::max(same[other], same[i]);
      std::ranges::replace(same, high, low);
    }
  }
  return same;
}

// `account.id` is account_id, `account.balance` is balance.
std::string name_for(const Slot& slot) {
  if (slot.columns.empty()) return "value";
  const std::string& column = *slot.columns.begin();
  const auto dot = column.rfind('.');
  std::string name = column.substr(dot + 1) == "id" ? column.substr(0, dot) + "_id" : column.substr(dot + 1);
  std::ranges::transform(name, name.begin(), [](unsigned char c) {
    return std::isalnum(c) != 0 && c < 128 ? static_cast<char>(std::tolower(c)) : '_';
  });
  return std::isdigit(static_cast<unsigned char>(name[0])) != 0 ? "p" + name : name;
}

}  // namespace

ColumnRoots::ColumnRoots(const sql::Schema& schema) {
  for (const sql::Table& table : schema.tables)
    for (const sql::ForeignKey& key : table.foreign_keys)
      for (std::size_t i = 0; i < std::min(key.columns.size(), key.target_columns.size()); ++i) {
        const sql::Table& target = schema[key.target];
        const std::string from = root(table.name + "." + table[key.columns[i]].name);
        const std::string to = root(target.name + "." + target[key.target_columns[i]].name);
        if (from != to) up_[from] = to;
      }
}

std::string ColumnRoots::root(const std::string& column) const {
  const auto found = up_.find(column);
  return found == up_.end() ? column : root(found->second);
}

Parameters parameters_of(const SeenProgram& program, const ColumnRoots& roots) {
  Parameters result;
  const std::vector<std::size_t> same = unify(program, roots);
  for (std::size_t i = 0; i < program.slots.size(); ++i) {
    const SeenSlot& seen = program.slots[i];
    if (is_constant(program, seen)) {
      // A minus sign in front of what stands before it would begin a comment.
      result.texts.push_back(seen.first->starts_with('-') ? "(" + *seen.first + ")" : *seen.first);
      if (slot_of(program, seen).source == Slot::Source::Literal) result.constants.push_back(*seen.first);
    } else if (same[i] != i) {
      const std::string name = result.texts[same[i]].substr(1);
      result.texts.push_back(":" + name);
      if (std::ranges::find(result.unified, name) == result.unified.end()) result.unified.push_back(name);
    } else {
      const Slot& slot = slot_of(program, seen);
      const std::string base = name_for(slot) + (slot.array.empty() ? "" : "_list");
      std::string name = base;
      for (std::size_t n = 2; std::ranges::find(result.names, name) != result.names.end(); ++n)
        name = fmt::format("{}_{}", base, n);
      result.names.push_back(name);
      result.declarations.push_back(slot.array.empty() ? name : name + " " + slot.array);
      result.texts.push_back(":" + name);
    }
  }
  return result;
}

}  // namespace assay::sql_log
