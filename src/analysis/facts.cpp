#include "analysis/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <set>
#include <utility>

namespace assay::analysis {

using sql::Expression;
using sql::ExpressionPtr;

sql::TableId written_table(const Item& item) {
  if (const auto* insert = item.as<sql::Insert>()) return insert->table;
  if (const auto* update = item.as<sql::Update>()) return update->table;
  if (const auto* deletion = item.as<sql::Delete>()) return deletion->table;
  return sql::TableId::none();
}

bool moves_rows(const sql::Schema& schema, const sql::Update& update) {
  return std::ranges::any_of(
      update.sets, [&](const auto& set) { return schema[update.table].in_primary_key(set.column); });
}

namespace {

// What follows when rows of the table are deleted or some of its columns change, and what follows from that.
class KeyConsequences {
 public:
  explicit KeyConsequences(const sql::Schema& schema) : schema_(schema) {}

  void deleted(sql::TableId table) {
    each_key_to(table, [&](sql::TableId child, const sql::ForeignKey& key) {
      if (key.cascades && !std::exchange(of(child).deletes, true)) deleted(child);
      if (key.sets) changed(child, key.columns);
    });
  }
  void updated(sql::TableId table, const std::vector<sql::ColumnId>& columns) {
    each_key_to(table, [&](sql::TableId child, const sql::ForeignKey& key) {
      const bool hit = std::ranges::any_of(
          columns, [&](sql::ColumnId c) { return std::ranges::count(key.target_columns, c) > 0; });
      if (hit && key.follows) changed(child, key.columns);
    });
  }
  std::vector<Consequence> found;

 private:
  template <class Visit>
  void each_key_to(sql::TableId table, Visit&& visit) {
    for (std::size_t child = 0; child < schema_.tables.size(); ++child)
      for (const sql::ForeignKey& key : schema_.tables[child].foreign_keys)
        if (key.target == table) visit(sql::TableId(child), key);
  }
  void changed(sql::TableId table, const std::vector<sql::ColumnId>& columns) {
    Consequence& here = of(table);
    std::vector<sql::ColumnId> all = columns;
    for (std::size_t c = 0; c < schema_[table].columns.size(); ++c)
      if (schema_[table].columns[c].calculated) all.push_back(sql::ColumnId(c));
    bool news = false;
    for (const sql::ColumnId column : all) {
      if (std::ranges::count(here.sets, column)) continue;
      here.sets.push_back(column);
      here.moves |= schema_[table].in_primary_key(column);
      news = true;
    }
    if (news) updated(table, all);
  }
  Consequence& of(sql::TableId table) {
    const auto place = std::ranges::find(found, table, &Consequence::table);
    if (place != found.end()) return *place;
    return found.emplace_back(Consequence{table});
  }
  const sql::Schema& schema_;
};

}  // namespace

std::vector<Consequence> consequences(const sql::Schema& schema, const sql::Delete& statement) {
  KeyConsequences all(schema);
  all.deleted(statement.table);
  return std::move(all.found);
}

std::vector<Consequence> consequences(const sql::Schema& schema, const sql::Update& statement) {
  KeyConsequences all(schema);
  std::vector<sql::ColumnId> columns;
  for (const auto& set : statement.sets) columns.push_back(set.column);
  all.updated(statement.table, columns);
  return std::move(all.found);
}

std::vector<ExpressionPtr> conjuncts(const ExpressionPtr& condition) {
  if (!condition) return {};
  if (condition->kind != Expression::Kind::And) return {condition};
  std::vector<ExpressionPtr> parts;
  for (const ExpressionPtr& kid : condition->kids) {
    const auto below = conjuncts(kid);
    parts.insert(parts.end(), below.begin(), below.end());
  }
  return parts;
}

bool mentions(const ExpressionPtr& expression, sql::SourceId source, sql::ColumnId column) {
  bool found = false;
  sql::walk(expression, [&](const Expression& e) {
    found |= e.kind == Expression::Kind::Field && e.source == source && e.column == column;
  });
  return found;
}

std::vector<ExpressionPtr> pinned_key(const sql::Table& table, const ExpressionPtr& where) {
  std::vector<ExpressionPtr> key;
  const auto parts = conjuncts(where);
  for (const sql::ColumnId column : table.primary_key) {
    ExpressionPtr pinned;
    for (const ExpressionPtr& part : parts) {
      if (part->kind != Expression::Kind::Equal) continue;
      for (const std::size_t side : {0u, 1u}) {
        const Expression& field = *part->kids[side];
        if (field.kind == Expression::Kind::Field && field.column == column &&
            !sql::contains(part->kids[1 - side], Expression::Kind::Field))
          pinned = part->kids[1 - side];
      }
    }
    if (!pinned) return {};
    key.push_back(pinned);
  }
  return key;
}

namespace {

// `visit(expression)` for each that a statement has, without those of statements inside it.
class ExpressionsOf {
 public:
  explicit ExpressionsOf(std::function<void(const ExpressionPtr&)> visit) : visit_(std::move(visit)) {}

  void operator()(const sql::Select& select) { visit_(select.where), values(select.outputs); }
  void operator()(const sql::Insert& insert) {
    for (const ExpressionPtr& value : insert.values) visit_(value);
    values(insert.sets), visit_(insert.conflict_where), values(insert.returning);
  }
  void operator()(const sql::Update& update) {
    values(update.sets), visit_(update.where), values(update.returning);
  }
  void operator()(const sql::Delete& deletion) { visit_(deletion.where), values(deletion.returning); }
  void operator()(const sql::Assign& assign) { visit_(assign.value); }
  void operator()(const sql::If& branch) { visit_(branch.condition); }
  void operator()(const sql::Loop& loop) {
    (*this)(loop.query);
    for (const ExpressionPtr& part : {loop.from, loop.to, loop.last}) visit_(part);
    for (const sql::Loop::Carried& carried : loop.carried) visit_(carried.first), visit_(carried.next);
  }
  void operator()(const sql::Abort&) {}
  void operator()(const sql::Emit& emit) {
    for (const ExpressionPtr& value : emit.values) visit_(value);
  }
  void operator()(const sql::Opaque&) {}

 private:
  template <class List>
  void values(const List& list) {
    for (const auto& part : list) visit_(part.value);
  }
  std::function<void(const ExpressionPtr&)> visit_;
};

}  // namespace

std::string Facts::name_of(const Expression& e) const {
  const auto place = numbers_.find(&e);
  return place == numbers_.end() ? fmt::format("{}", static_cast<const void*>(&e))
                                 : fmt::format("{}", place->second);
}

void Facts::number_expressions() {
  ExpressionsOf each([&](const ExpressionPtr& expression) {
    sql::walk(expression, [&](const Expression& e) { numbers_.try_emplace(&e, numbers_.size()); });
  });
  for (const sql::Program& program : application_.programs)
    sql::walk(program.body, [&](const sql::Statement& statement, std::uint32_t) {
      std::visit([&](const auto& what) { each(what); }, statement.what);
    });
}

Facts::Facts(const sql::Application& application, const Levels& levels, const Options& options)
    : application_(application), levels_(levels), options_(options) {
  for (const sql::Table& table : application.schema.tables)
    tables_.push_back({.updated = std::vector<bool>(table.columns.size()),
                       .counts = std::vector<std::int64_t>(table.columns.size())});
  for (const sql::Program& program : application.programs) {
    ProgramFacts& facts = programs_.emplace_back(ProgramFacts{&program, {}, {}});
    std::vector<Guard> guards;
    std::vector<std::size_t> loops;
    collect(facts, program.body, guards, loops);
  }
  number_expressions();
  for (ProgramFacts& program : programs_) note_writes(program);
  insert_once_ = counters_hold_ = enforces_constraints_ = true;
  for (std::size_t p = 0; p < programs_.size(); ++p) {
    const StoreLevelRow& level = levels.row(p);
    insert_once_ &= level.no_conflict || level.per_statement || level.of_mariadb();
    enforces_constraints_ &=
        level.level != StoreLevel::Written &&
        (level.per_statement || level.of_mariadb() || (level.prefix && level.no_conflict));
    refuses_unseen_ |= level.refuses_unseen;
    counters_hold_ &= level.no_conflict && level.causal;
  }
  find_counters();
}

void Facts::collect(ProgramFacts& program, const sql::Block& block, std::vector<Guard>& guards,
                    std::vector<std::size_t>& loops) {
  for (const sql::Statement& statement : block) {
    if (const auto* branch = std::get_if<sql::If>(&statement.what)) {
      guards.push_back({branch->condition, false});
      collect(program, branch->then, guards, loops);
      guards.back().negated = true;
      collect(program, branch->otherwise, guards, loops);
      guards.pop_back();
    } else if (const auto* loop = std::get_if<sql::Loop>(&statement.what)) {
      const std::size_t id = program.loops.size();
      if (loop->over == sql::Loop::Over::Query)
        program.items.push_back({&statement, &loop->query, guards, loops, id});
      loops.push_back(id);
      program.loops.push_back({loop, guards, loops});
      collect(program, loop->body, guards, loops);
      loops.pop_back();
    } else {
      program.items.push_back({&statement, std::get_if<sql::Select>(&statement.what), guards, loops});
    }
  }
}

void Facts::note_consequences(const std::vector<Consequence>& all, sql::TableId written, Item& item) {
  for (const Consequence& c : all) {
    tables_[c.table.index()].opaque = true;
    item.spreads |= c.table == written;
  }
}

void Facts::note_writes(ProgramFacts& program) {
  // One statement of the text has one snapshot; numbers go on where it calls a function.
  std::set<std::string> changes;
  for (const Item& item : program.items)
    if (!written_table(item).is_none()) changes.insert(item.statement->snapshot.name());
  for (Item& item : program.items)
    item.of_change = item.select != nullptr && changes.contains(item.statement->snapshot.name());
  for (Item& item : program.items) {
    if (const auto* insert = item.as<sql::Insert>()) {
      tables_[insert->table.index()].inserted = true;
      for (const auto& set : insert->sets) tables_[insert->table.index()].updated[set.column.index()] = true;
    } else if (const auto* update = item.as<sql::Update>()) {
      TableFacts& table = tables_[update->table.index()];
      if (moves_rows(schema(), *update)) table.opaque = true;
      for (const auto& set : update->sets) table.updated[set.column.index()] = true;
      note_consequences(consequences(schema(), *update), update->table, item);
    } else if (const auto* deletion = item.as<sql::Delete>()) {
      tables_[deletion->table.index()].deleted = true;
      note_consequences(consequences(schema(), *deletion), deletion->table, item);
    } else if (const auto* opaque = item.as<sql::Opaque>()) {
      for (const sql::TableId table : opaque->writes) tables_[table.index()].opaque = true;
    }
  }
}

namespace {

std::int64_t positive_constant(const ExpressionPtr& e) {
  if (e->kind != Expression::Kind::Constant || e->null || e->type != sql::Type::Integer) return 0;
  std::int64_t value = 0;
  std::from_chars(e->text.data(), e->text.data() + e->text.size(), value);
  return std::max<std::int64_t>(value, 0);
}

// Whether the variable holds the column of the row with this key, as the program read it.
bool holds_field(const ProgramFacts& program, sql::VariableId variable, sql::TableId table,
                 sql::ColumnId column, const std::vector<ExpressionPtr>& key, const sql::Schema& schema) {
  for (const Item& item : program.items) {
    if (item.select == nullptr || item.select->sources != std::vector{table}) continue;
    const auto pinned = pinned_key(schema[table], item.select->where);
    const bool same_row =
        pinned.size() == key.size() && std::ranges::equal(pinned, key, [](const auto& a, const auto& b) {
          return a->kind == Expression::Kind::Variable && b->kind == a->kind && a->variable == b->variable;
        });
    if (!same_row) continue;
    for (const sql::Output& output : item.select->outputs)
      if (output.into == variable && output.aggregate == sql::Output::Aggregate::None && output.value &&
          output.value->kind == Expression::Kind::Field && output.value->column == column)
        return true;
  }
  return false;
}

// By how much the assignment raises the column at least; 0 when it may do something else.
std::int64_t raise(const ProgramFacts& program, const sql::Update& update, const sql::Insert::Set& set,
                   const sql::Schema& schema) {
  if (set.value->kind != Expression::Kind::Add) return 0;
  const auto key = pinned_key(schema[update.table], update.where);
  if (key.empty()) return 0;
  for (const std::size_t side : {0u, 1u}) {
    const Expression& old = *set.value->kids[side];
    const bool same = (old.kind == Expression::Kind::Field && old.column == set.column) ||
                      (old.kind == Expression::Kind::Variable &&
                       holds_field(program, old.variable, update.table, set.column, key, schema));
    if (same) return positive_constant(set.value->kids[1 - side]);
  }
  return 0;
}

}  // namespace

void Facts::find_counters() {
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    TableFacts& table = tables_[t];
    if (table.deleted || table.opaque) continue;
    for (std::size_t c = 0; c < table.updated.size(); ++c) {
      std::optional<std::int64_t> least;
      for (const ProgramFacts& program : programs_) {
        std::size_t writes = 0;
        for (const Item& item : program.items) {
          if (const auto* insert = item.as<sql::Insert>(); insert != nullptr && insert->table.index() == t)
            for (const auto& set : insert->sets)
              if (set.column.index() == c) least = 0;
          const auto* update = item.as<sql::Update>();
          if (update == nullptr || update->table.index() != t) continue;
          for (const auto& set : update->sets) {
            if (set.column.index() != c) continue;
            const std::int64_t step = raise(program, *update, set, schema());
            // A second write of the same row would start from the first one's value, not from the snapshot's.
            least = ++writes > 1 || !item.loops.empty() ? 0 : std::min(least.value_or(step), step);
          }
        }
      }
      table.counts[c] = least.value_or(0);
    }
  }
}

bool Facts::fixed(sql::TableId id, sql::ColumnId column) const {
  const TableFacts& facts = table(id);
  if (schema()[id].in_primary_key(column)) return true;
  if (facts.opaque || facts.updated[column.index()]) return false;
  return !facts.inserted || (!facts.deleted && insert_once_);
}

std::int64_t Facts::counter(sql::TableId id, sql::ColumnId column) const {
  return counters_hold_ ? table(id).counts[column.index()] : 0;
}

}  // namespace assay::analysis
