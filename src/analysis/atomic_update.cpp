#include "analysis/atomic_update.h"

#include <algorithm>
#include <map>

#include "analysis/footprint.h"
#include "sql/unused.h"

namespace assay::analysis {
namespace {

using sql::Expression;
using sql::ExpressionPtr;
using Kind = Expression::Kind;
using Columns = std::map<std::uint32_t, ExpressionPtr>;  // of the row, by the variable that holds them

bool same_value(const ExpressionPtr& a, const ExpressionPtr& b) {
  if (a->kind != b->kind) return false;
  if (a->kind == Kind::Variable) return a->variable == b->variable;
  return a->kind == Kind::Constant && !a->null && !b->null && a->type == b->type && a->text == b->text;
}

bool same_row(const sql::Table& table, const ExpressionPtr& a, const ExpressionPtr& b) {
  const auto key_a = pinned_key(table, a), key_b = pinned_key(table, b);
  return !key_a.empty() && std::ranges::equal(key_a, key_b, same_value);
}

// Whether the condition is the key and nothing else.
bool only_key(const sql::Table& table, const ExpressionPtr& where) {
  const std::size_t parts = where->kind == Kind::And ? where->kids.size() : 1;
  return parts == table.primary_key.size();
}

ExpressionPtr with_columns(const ExpressionPtr& e, const Columns& columns) {
  if (!e) return e;
  if (e->kind == Kind::Variable) {
    const auto place = columns.find(e->variable.value);
    return place == columns.end() ? e : place->second;
  }
  Expression copy = *e;
  for (ExpressionPtr& kid : copy.kids) kid = with_columns(kid, columns);
  return std::make_shared<const Expression>(std::move(copy));
}

bool uses(const ExpressionPtr& e, const Columns& columns) {
  bool any = false;
  sql::walk(e, [&](const Expression& part) {
    any |= part.kind == Kind::Variable && columns.contains(part.variable.value);
  });
  return any;
}

Columns columns_read(const sql::Select& select) {
  Columns columns;
  for (const sql::Output& output : select.outputs)
    if (!output.into.is_none()) columns[output.into.value] = output.value;
  return columns;
}

bool reads_one_row(const sql::Select& select, const sql::Schema& schema) {
  return select.sources.size() == 1 && select.rows == sql::Select::Rows::First && !select.partial &&
         !select.repeats && !select.for_update && select.where && select.effect.found.is_none() &&
         select.effect.count.is_none() && only_key(schema[select.sources[0]], select.where) &&
         !pinned_key(schema[select.sources[0]], select.where).empty() &&
         std::ranges::all_of(select.outputs, [](const sql::Output& output) {
           return output.aggregate == sql::Output::Aggregate::None && output.value &&
                  output.value->kind == Kind::Field;
         });
}

bool tells_nothing(const sql::Update& update) {
  return update.returning.empty() && update.effect.found.is_none() && update.effect.count.is_none();
}

void rewrite(sql::Block& block, std::uint32_t number, const Columns& columns) {
  for (sql::Statement& statement : block) {
    if (auto* update = std::get_if<sql::Update>(&statement.what); update && statement.number == number) {
      for (sql::Update::Set& set : update->sets) set.value = with_columns(set.value, columns);
      update->where = with_columns(update->where, columns);
    }
    auto* branch = std::get_if<sql::If>(&statement.what);
    if (branch == nullptr) continue;
    rewrite(branch->then, number, columns);
    rewrite(branch->otherwise, number, columns);
    if (!branch->otherwise.empty() || branch->then.size() != 1 || branch->then[0].number != number ||
        !uses(branch->condition, columns))
      continue;
    auto* update = std::get_if<sql::Update>(&branch->then[0].what);
    if (update == nullptr || !tells_nothing(*update)) continue;
    update->where = sql::all_of({update->where, with_columns(branch->condition, columns)});
    sql::Statement whole = std::move(branch->then[0]);
    statement = std::move(whole);
  }
}

// The query, whose answers nobody asks for any more.
bool take_out(sql::Block& block, std::uint32_t number) {
  for (auto statement = block.begin(); statement != block.end(); ++statement) {
    if (auto* branch = std::get_if<sql::If>(&statement->what))
      if (take_out(branch->then, number) || take_out(branch->otherwise, number)) return true;
    const auto* select = std::get_if<sql::Select>(&statement->what);
    if (select == nullptr || statement->number != number) continue;
    block.erase(statement);
    return true;
  }
  return false;
}

bool make_atomic(sql::Program& program, const AtomicUpdate& change) {
  Columns columns;
  sql::walk(program.body, [&](const sql::Statement& statement, std::uint32_t) {
    const auto* select = std::get_if<sql::Select>(&statement.what);
    if (select != nullptr && statement.number == change.query) columns = columns_read(*select);
  });
  if (columns.empty()) return false;
  rewrite(program.body, change.update, columns);
  sql::drop_unused(program);
  for (const auto& [variable, column] : columns)
    if (sql::is_used(program, sql::VariableId(variable))) return false;
  return take_out(program.body, change.query);
}

// What foreign keys or statements that are not understood may do to the row between the two.
bool may_change_by_itself(const sql::Program& program, const sql::Table& table) {
  bool may = std::ranges::any_of(
      table.foreign_keys, [](const sql::ForeignKey& key) { return key.cascades || key.sets || key.follows; });
  sql::walk(program.body, [&](const sql::Statement& statement, std::uint32_t) {
    may |= std::holds_alternative<sql::Opaque>(statement.what);
  });
  return may;
}

struct Numbered {
  const sql::Statement* statement;
  std::uint32_t depth;
};

}  // namespace

std::vector<AtomicUpdate> atomic_updates(const sql::Application& application, std::size_t p) {
  const sql::Program& program = application.programs[p];
  std::vector<Numbered> all;
  sql::walk(program.body, [&](const sql::Statement& statement, std::uint32_t depth) {
    all.push_back({&statement, depth});
  });
  const auto alone = [&](std::uint32_t number) {
    return std::ranges::count_if(all, [&](const Numbered& n) {
             return n.statement->number == number && !std::holds_alternative<sql::If>(n.statement->what) &&
                    !std::holds_alternative<sql::Assign>(n.statement->what);
           }) == 1;
  };
  const auto changes = [&](const Numbered& n, sql::TableId table) {
    const auto* insert = std::get_if<sql::Insert>(&n.statement->what);
    const auto* update = std::get_if<sql::Update>(&n.statement->what);
    const auto* erase = std::get_if<sql::Delete>(&n.statement->what);
    return (insert && insert->table == table) || (update && update->table == table) ||
           (erase && erase->table == table);
  };
  std::vector<AtomicUpdate> found;
  for (std::size_t u = 0; u < all.size(); ++u) {
    const auto* update = std::get_if<sql::Update>(&all[u].statement->what);
    if (update == nullptr || all[u].depth > 0 || !alone(all[u].statement->number)) continue;
    const sql::Table& table = application.schema[update->table];
    if (may_change_by_itself(program, table)) continue;
    for (std::size_t s = u; s-- > 0 && !changes(all[s], update->table);) {
      const auto* select = std::get_if<sql::Select>(&all[s].statement->what);
      if (select == nullptr || all[s].depth > 0 || !alone(all[s].statement->number) ||
          !reads_one_row(*select, application.schema) || select->sources[0] != update->table ||
          !same_row(table, select->where, update->where))
        continue;
      const Columns columns = columns_read(*select);
      if (std::ranges::none_of(update->sets, [&](const auto& set) { return uses(set.value, columns); }))
        continue;
      AtomicUpdate change{p, all[s].statement->number, all[u].statement->number, all[s].statement->place,
                          all[u].statement->place};
      if (made_atomic(application, {change})) found.push_back(std::move(change));
    }
  }
  return found;
}

std::optional<sql::Application> made_atomic(const sql::Application& application,
                                            const std::vector<AtomicUpdate>& updates) {
  sql::Application changed = application;
  for (const AtomicUpdate& update : updates)
    if (!make_atomic(changed.programs[update.program], update)) return std::nullopt;
  return changed;
}

const sql::Statement* find_update(const sql::Program& program, std::uint32_t number) {
  const sql::Statement* found = nullptr;
  sql::walk(program.body, [&](const sql::Statement& statement, std::uint32_t) {
    if (statement.number == number && std::holds_alternative<sql::Update>(statement.what)) found = &statement;
  });
  return found;
}

}  // namespace assay::analysis
