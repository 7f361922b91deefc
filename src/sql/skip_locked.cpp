// A row that was passed over because it is locked says that its transaction comes first, and that its changes
// are not seen: dependencies of rows and columns cannot express both. So the query counts as a statement that
// reads and writes its tables, which conflicts with all that use them.
//
// It is harmless where all that the application does with the table is to take rows from it: then a row that
// was passed over is one that is gone in the serial order, and nothing else tells the orders apart. Any other
// use of the table can (a report that sees the second row gone, and not the first).
#include "sql/skip_locked.h"

#include <algorithm>
#include <set>

namespace assay::sql {
namespace {

using Kind = Expression::Kind;

std::set<TableId> tables_of(const Statement& statement) {
  std::set<TableId> tables;
  const auto all = [&](const std::vector<TableId>& some) { tables.insert(some.begin(), some.end()); };
  if (const auto* select = std::get_if<Select>(&statement.what)) all(select->sources);
  if (const auto* loop = std::get_if<Loop>(&statement.what)) all(loop->query.sources);
  if (const auto* insert = std::get_if<Insert>(&statement.what)) tables.insert(insert->table);
  if (const auto* update = std::get_if<Update>(&statement.what)) tables.insert(update->table);
  if (const auto* erase = std::get_if<Delete>(&statement.what)) tables.insert(erase->table);
  if (const auto* opaque = std::get_if<Opaque>(&statement.what)) all(opaque->reads), all(opaque->writes);
  return tables;
}

// The parts of a conjunction.
void parts_of(const ExpressionPtr& condition, std::vector<ExpressionPtr>& parts) {
  if (!condition) return;
  if (condition->kind != Kind::And) return parts.push_back(condition);
  for (const ExpressionPtr& kid : condition->kids) parts_of(kid, parts);
}

// The constant that a row must have in this column.
ExpressionPtr wanted(const ExpressionPtr& where, ColumnId column) {
  std::vector<ExpressionPtr> parts;
  parts_of(where, parts);
  for (const ExpressionPtr& part : parts)
    if (part->kind == Kind::Equal)
      for (std::size_t i = 0; i < 2; ++i)
        if (part->kids[i]->kind == Kind::Field && part->kids[i]->column == column &&
            part->kids[1 - i]->kind == Kind::Constant && !part->kids[1 - i]->null)
          return part->kids[1 - i];
  return nullptr;
}

// One program that takes a row: a query with SKIP LOCKED, then a change of the row that it found, after which
// the query would not find it.
class Taking {
 public:
  Taking(const Program& program, const Table& table, TableId id) : table_(table), id_(id) {
    walk(program.body, [&](const Statement& statement, std::uint32_t) { look_at(statement); });
  }

  bool holds() const { return only_ && changed_; }

 private:
  void look_at(const Statement& statement) {
    if (const auto* select = std::get_if<Select>(&statement.what)) {
      if (select->skips_locked && query_ == nullptr && select->sources.size() == 1) query_ = select;
      else only_ &= query_ == nullptr && select->rows == Select::Rows::Aggregate && !select->for_update;
    } else if (const auto* update = std::get_if<Update>(&statement.what)) {
      change(update->where, std::ranges::any_of(update->sets, [&](const Update::Set& set) {
               const ExpressionPtr before = query_ ? wanted(query_->where, set.column) : nullptr;
               return before && set.value->kind == Kind::Constant && !set.value->null &&
                      set.value->type == before->type && set.value->text != before->text;
             }));
    } else if (const auto* erase = std::get_if<Delete>(&statement.what)) {
      change(erase->where, true);
    } else if (const auto* branch = std::get_if<If>(&statement.what)) {
      only_ &= query_ != nullptr && !changed_ && branch->otherwise.empty() && says_found(branch->condition);
    } else if (std::holds_alternative<Assign>(statement.what)) {
      only_ &= query_ == nullptr || changed_;
    } else {
      only_ &= std::holds_alternative<Emit>(statement.what);
    }
    for (const TableId table : tables_of(statement)) only_ &= table == id_;
  }

  void change(const ExpressionPtr& where, bool takes_out) {
    only_ &= query_ != nullptr && !changed_ && takes_out && names_row(where);
    changed_ = true;
  }

  bool is_output(const ExpressionPtr& value) const {
    return value->kind == Kind::Variable &&
           std::ranges::count(query_->outputs, value->variable, &Output::into) > 0;
  }
  bool says_found(const ExpressionPtr& condition) const {
    if (condition->kind == Kind::Variable) return condition->variable == query_->effect.found;
    return condition->kind == Kind::Not && condition->kids[0]->kind == Kind::IsNull &&
           is_output(condition->kids[0]->kids[0]);
  }
  bool names_row(const ExpressionPtr& where) const {
    std::vector<ExpressionPtr> parts;
    parts_of(where, parts);
    return parts.size() == table_.primary_key.size() && !parts.empty() &&
           std::ranges::all_of(table_.primary_key, [&](ColumnId column) {
             return std::ranges::any_of(parts, [&](const ExpressionPtr& part) {
               if (part->kind != Kind::Equal) return false;
               const ExpressionPtr &a = part->kids[0], &b = part->kids[1];
               return a->kind == Kind::Field && a->column == column && is_output(b);
             });
           });
  }

  const Table& table_;
  TableId id_;
  const Select* query_ = nullptr;
  bool only_ = true, changed_ = false;
};

bool skipping_is_harmless(const Application& application, TableId table) {
  for (const Table& other : application.schema.tables)
    for (const ForeignKey& key : other.foreign_keys)
      if (key.target == table || &other == &application.schema[table]) return false;
  return std::ranges::all_of(application.programs, [&](const Program& program) {
    bool uses = false;
    walk(program.body,
         [&](const Statement& statement, std::uint32_t) { uses |= tables_of(statement).contains(table); });
    return !uses || Taking(program, application.schema[table], table).holds();
  });
}

const Select* skipping_query(const Statement& statement) {
  const auto* loop = std::get_if<Loop>(&statement.what);
  const auto* select = loop != nullptr ? &loop->query : std::get_if<Select>(&statement.what);
  return select != nullptr && select->skips_locked ? select : nullptr;
}

void add_conflicts(Block& block, const std::set<TableId>& harmful) {
  for (std::size_t i = 0; i < block.size(); ++i) {
    if (auto* branch = std::get_if<If>(&block[i].what)) {
      add_conflicts(branch->then, harmful);
      add_conflicts(branch->otherwise, harmful);
    }
    if (auto* loop = std::get_if<Loop>(&block[i].what)) add_conflicts(loop->body, harmful);
    const Select* query = skipping_query(block[i]);
    if (query == nullptr) continue;
    Opaque skips{"SKIP LOCKED", {}, {}};
    for (const TableId table : query->sources)
      if (harmful.contains(table)) skips.reads.push_back(table), skips.writes.push_back(table);
    if (skips.reads.empty()) continue;
    Statement conflict{std::move(skips), block[i].place, block[i].number};
    block.insert(block.begin() + static_cast<std::ptrdiff_t>(i++), std::move(conflict));
  }
}

}  // namespace

void add_conflicts_of_skipping(Application& application) {
  std::set<TableId> harmful;
  for (const Program& program : application.programs)
    walk(program.body, [&](const Statement& statement, std::uint32_t) {
      if (const Select* query = skipping_query(statement))
        for (const TableId table : query->sources)
          if (!skipping_is_harmless(application, table)) harmful.insert(table);
    });
  if (harmful.empty()) return;
  for (Program& program : application.programs) add_conflicts(program.body, harmful);
}

}  // namespace assay::sql
