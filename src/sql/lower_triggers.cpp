// What a change brings along: triggers, columns that are calculated, what foreign keys carry on.
//
// A trigger for each row is put where its row is written, with the values of the row as variables. An INSERT
// has them already. An UPDATE or DELETE with such triggers becomes a loop over the rows that it finds, which
// locks them as the statement would, so that both see the newest version.
#include <fmt/format.h>

#include <algorithm>

#include "sql/lowering.h"
#include "sql/values.h"

namespace assay::sql {
namespace {

using Kind = Expression::Kind;

NamedType type_of_column(const Column& column) { return {column.type, false, false, column.declared}; }

std::string_view word_for(Event event) {
  return event == Event::Insert ? "INSERT" : event == Event::Update ? "UPDATE" : "DELETE";
}

// Whether these are columns of the primary key, or others that rows of other tables follow.
bool changes_keys(const Schema& schema, TableId table, const std::vector<Insert::Set>& sets) {
  return std::ranges::any_of(sets, [&](const Insert::Set& set) {
    if (schema[table].in_primary_key(set.column)) return true;
    return std::ranges::any_of(schema.tables, [&](const Table& child) {
      return std::ranges::any_of(child.foreign_keys, [&](const ForeignKey& key) {
        return key.target == table && key.follows && std::ranges::count(key.target_columns, set.column) > 0;
      });
    });
  });
}

bool always_false(const ExpressionPtr& value) {
  return value->kind == Kind::Constant && value->text == "false";
}

}  // namespace

bool fires(const Trigger& trigger, Event event) {
  return event == Event::Insert   ? trigger.on_insert
         : event == Event::Update ? trigger.on_update
                                  : trigger.on_delete;
}

bool Lowering::concerns(const Trigger& trigger, TableId table, Event event,
                        const std::vector<Insert::Set>& sets) const {
  if (!fires(trigger, event)) return false;
  if (event != Event::Update || trigger.columns.empty()) return true;
  return std::ranges::any_of(trigger.columns, [&](const std::string& name) {
    const auto column = schema_[table].find(name);
    if (!column) return true;
    const auto formula = around_.formulas.find({table, *column});
    // A generated column changes with what it is made of.
    return (formula != around_.formulas.end() && formula->second.generated) ||
           std::ranges::count(sets, *column, &Insert::Set::column) > 0;
  });
}

bool Lowering::has_row_triggers(TableId table, Event event, const std::vector<Insert::Set>& sets) const {
  const auto triggers = around_.triggers.find(table);
  return triggers != around_.triggers.end() && std::ranges::any_of(triggers->second, [&](const Trigger& t) {
           return t.row && concerns(t, table, event, sets);
         });
}

ExpressionPtr Lowering::default_of(TableId table, ColumnId column) {
  const Column& definition = schema_[table][column];
  const auto formula = around_.formulas.find({table, column});
  // Every INSERT draws a value of its own, so no two may share the expression.
  if (formula == around_.formulas.end() || formula->second.generated)
    return definition.fallback ? std::make_shared<const Expression>(*definition.fallback)
                               : null_constant(definition.type);
  if (has_gaps(formula->second.expression)) return unknown(definition.type);
  reads_no_text();
  const ExpressionPtr value = lower(formula->second.expression, nullptr);
  text_known_ = true;
  return converted(value, type_of_column(definition), Conversion::Assignment);
}

ExpressionPtr Lowering::generated(TableId table, ColumnId column, const Row& row, const Json& formula) {
  const Column& definition = schema_[table][column];
  if (has_gaps(formula)) return unknown(definition.type);
  Relation relation{schema_[table].name, {}};
  for (std::size_t i = 0; i < row.values.size(); ++i)
    relation.columns.add({schema_[table].columns[i].name, row.values[i]});
  Scope scope{{std::move(relation)}};
  reads_no_text();
  const ExpressionPtr value = lower(formula, &scope);
  text_known_ = true;
  return converted(value, type_of_column(definition), Conversion::Assignment);
}

void Lowering::generate(TableId table, Row& row, const Row*) {
  for (const auto& [where, formula] : around_.formulas)
    if (where.first == table && formula.generated)
      row.values[where.second.index()] = generated(table, where.second, row, formula.expression);
}

ExpressionPtr Lowering::fire_one(const Trigger& trigger, TableId table, Event event, Row* now,
                                 const Row* old) {
  constexpr std::size_t kDeepestTrigger = 4;
  if (!trigger.unclear.empty() || std::ranges::count(firing_, &trigger) > 0 ||
      firing_.size() >= kDeepestTrigger || calls_ >= kMostCalls) {
    not_understood(
        fmt::format("trigger {} of table {} ({})", trigger.name, schema_[table].name,
                    trigger.unclear.empty() ? "it fires itself, or too many others" : trigger.unclear));
    if (trigger.before && now != nullptr)
      for (std::size_t i = 0; i < now->values.size(); ++i)
        now->values[i] = typed(unknown(now->values[i]->type), now->values[i]->declared);
    return trigger.before && trigger.row ? unknown(Type::Boolean) : nullptr;
  }
  firing_.push_back(&trigger);
  Environment environment_before = std::exchange(environment, {});
  std::vector<std::string> parameters_before = std::exchange(parameters, {});
  const auto with_before = std::exchange(with_, {});
  Select* const aggregating = std::exchange(aggregating_, nullptr);
  const bool found = tracks_found, count = tracks_count;
  const auto bind_row = [&](const std::string& name, const Row* row) {
    std::vector<ExpressionPtr> values;
    for (std::size_t i = 0; i < schema_[table].columns.size(); ++i)
      values.push_back(row != nullptr ? row->values[i] : null_constant(schema_[table].columns[i].type));
    declare_row(name, table, values);
  };
  bind_row("new", now);
  bind_row("old", old);
  declare("tg_op", Type::Text, false, constant(Type::Text, std::string(word_for(event))));
  for (const char* name :
       {"tg_name", "tg_when", "tg_level", "tg_table_name", "tg_relname", "tg_table_schema"})
    declare(name, Type::Text, false, unknown(Type::Text));
  for (const char* name : {"tg_nargs", "tg_relid"})
    declare(name, Type::Integer, false, unknown(Type::Integer));
  declare("tg_argv", Type::Text, true, unknown(Type::Text));
  declare("#skips", Type::Boolean, false, truth(false));
  bool open = false;
  if (!trigger.when.is_null()) {
    // NEW and OLD in the condition are the variables.
    reads_no_text();
    ExpressionPtr condition = has_gaps(trigger.when) ? unknown(Type::Boolean) : lower(trigger.when, nullptr);
    text_known_ = true;
    begin_if(std::move(condition));
    open = true;
  }
  const Environment untouched = environment;
  around_.call_trigger(*this, trigger);
  if (open) {
    build_.end();
    // What the body assigned holds only if it ran; which of both is left open.
    for (auto& [name, binding] : environment)
      if (const auto before = untouched.find(name);
          before != untouched.end() && before->second.value != binding.value)
        binding.value = typed(unknown(binding.type, {}), binding.declared);
  }
  ExpressionPtr skips = current("#skips");
  if (trigger.before && now != nullptr)
    for (std::size_t i = 0; i < now->values.size(); ++i) {
      const Column& column = schema_[table].columns[i];
      now->values[i] =
          converted(current("new." + column.name), type_of_column(column), Conversion::Assignment);
    }
  environment = std::move(environment_before);
  parameters = std::move(parameters_before);
  with_ = with_before;
  aggregating_ = aggregating;
  tracks_found = found, tracks_count = count;
  firing_.pop_back();
  return trigger.before && trigger.row && !always_false(skips) ? skips : nullptr;
}

ExpressionPtr Lowering::fire(TableId table, Event event, bool before, bool row, Row* now, const Row* old,
                             const std::vector<Insert::Set>& sets) {
  const auto triggers = around_.triggers.find(table);
  if (triggers == around_.triggers.end()) return nullptr;
  std::vector<ExpressionPtr> skips;
  for (const Trigger& trigger : triggers->second) {
    if (trigger.before != before || trigger.row != row || !concerns(trigger, table, event, sets)) continue;
    if (ExpressionPtr skip = fire_one(trigger, table, event, now, old)) skips.push_back(std::move(skip));
  }
  if (skips.empty()) return nullptr;
  const VariableId id = temporary("row passed over", Type::Boolean);
  append(Assign{id, skips.size() == 1 ? skips[0] : make(Kind::Or, std::move(skips))});
  return build_.value_of(id);
}

// Rows that foreign keys delete or change fire the triggers of their own tables.
void Lowering::follow_keys(TableId table, Event event) {
  std::vector<TableId> reached{table};
  for (std::size_t i = 0; i < reached.size(); ++i)
    for (std::size_t child = 0; child < schema_.tables.size(); ++child)
      for (const ForeignKey& key : schema_.tables[child].foreign_keys) {
        if (key.target != reached[i] || std::ranges::count(reached, TableId(child))) continue;
        const bool deletes = event == Event::Delete && (key.cascades || key.sets);
        if (!deletes && !key.follows) continue;
        reached.push_back(TableId(child));
        const Table& definition = schema_.tables[child];
        for (const ColumnId column : key.columns)
          if (around_.formulas.contains({TableId(child), column}))
            not_understood(
                fmt::format("a column of table {} that a foreign key calculates", definition.name));
        if (around_.triggers.contains(TableId(child)))
          not_understood(fmt::format("a trigger of table {} that a foreign key fires", definition.name));
        else if (!definition.unclear.empty())
          not_understood(fmt::format("table {} ({})", definition.name, definition.unclear));
      }
}

void Lowering::fire_statement(TableId table, Event event, bool before, const std::vector<Insert::Set>& sets) {
  fire(table, event, before, false, nullptr, nullptr, sets);
}

void Lowering::append_insert(Insert statement) {
  const TableId table = statement.table;
  const bool plain = statement.conflict != Insert::Conflict::Update;
  if (!plain && (has_row_triggers(table, Event::Insert, {}) ||
                 has_row_triggers(table, Event::Update, statement.sets))) {
    not_understood(fmt::format("a trigger of table {} under ON CONFLICT DO UPDATE", schema_[table].name));
    for (ExpressionPtr& value : statement.values) value = unknown(value->type);
    append(std::move(statement));
    return;
  }
  if (!plain)
    for (const auto& [where, formula] : around_.formulas)
      if (where.first == table && formula.generated)
        statement.sets.push_back({where.second, unknown(schema_[table][where.second].type)});
  Row row{statement.values};
  const ExpressionPtr skip = fire(table, Event::Insert, true, true, &row, nullptr, {});
  generate(table, row, nullptr);
  statement.values = row.values;
  const bool asks =
      !statement.returning.empty() || !statement.effect.found.is_none() || !statement.effect.count.is_none();
  const bool maybe = statement.conflict == Insert::Conflict::Nothing;
  if (skip) {
    build_.begin_if(skip), build_.otherwise();
    if (asks) note("a trigger may pass over the row: any result is assumed");
  }
  if (!plain && changes_keys(schema_, table, statement.sets))
    not_understood(fmt::format("ON CONFLICT DO UPDATE of a key of table {}", schema_[table].name));
  append(std::move(statement));
  if (!plain) follow_keys(table, Event::Update);
  const bool follows = has_row_triggers(table, Event::Insert, {});
  if (maybe && follows) {
    begin_if(unknown(Type::Boolean));
  }
  fire(table, Event::Insert, false, true, &row, nullptr, {});
  if (maybe && follows) build_.end();
  if (skip) build_.end();
}

// The loop that an UPDATE or DELETE with triggers for each row becomes.
template <class Change>
void Lowering::each_row(Change statement, Event event) {
  const TableId table = statement.table;
  const Table& definition = schema_[table];
  std::vector<Insert::Set> sets;
  if constexpr (std::is_same_v<Change, Update>) sets = statement.sets;
  // What the statement tells its program comes out of all rounds: any value.
  statement.effect = {};
  for (Output& output : statement.returning) output.into = {};
  Select select{.sources = {table}, .where = statement.where, .rows = Select::Rows::All, .for_update = true};
  build_.enter_loop();
  Row old;
  std::vector<ExpressionPtr> key;
  for (std::size_t c = 0; c < definition.columns.size(); ++c) {
    const Column& column = definition.columns[c];
    const ExpressionPtr stored = typed(field(ColumnId(c), column.type), column.declared);
    const VariableId value = temporary("old." + column.name, column.type);
    build_.program().variables.back().declared = column.declared;
    select.outputs.push_back({.value = stored, .into = value});
    old.values.push_back(build_.value_of(value));
    if (definition.in_primary_key(ColumnId(c))) key.push_back(make(Kind::Equal, {stored, old.values.back()}));
  }
  Row now = old;
  std::vector<ExpressionPtr> given;
  for (const Insert::Set& set : sets) {
    // Of the row as it was: the fields are its variables now.
    const std::function<ExpressionPtr(const ExpressionPtr&)> on_old = [&](const ExpressionPtr& e) {
      if (e->kind == Kind::Field) return old.values[e->column.index()];
      if (!contains(e, Kind::Field)) return e;
      Expression copy = *e;
      for (ExpressionPtr& kid : copy.kids) kid = on_old(kid);
      return ExpressionPtr(std::make_shared<const Expression>(std::move(copy)));
    };
    now.values[set.column.index()] = on_old(set.value);
  }
  given = now.values;
  build_.begin_loop({.over = Loop::Over::Query, .query = std::move(select), .body = {}});
  Row* const written = event == Event::Update ? &now : nullptr;
  const ExpressionPtr skip = fire(table, event, true, true, written, &old, sets);
  if (skip) build_.begin_if(skip), build_.otherwise();
  statement.where = key.empty() ? varying(Type::Boolean, {field(ColumnId(0), definition.columns[0].type)})
                                : all_of(std::move(key));
  if constexpr (std::is_same_v<Change, Update>) {
    for (std::size_t c = 0; c < now.values.size(); ++c) {
      if (now.values[c] == given[c]) continue;  // no trigger has touched it
      const auto place = std::ranges::find(statement.sets, ColumnId(c), &Insert::Set::column);
      if (place != statement.sets.end()) place->value = now.values[c];
      else statement.sets.push_back({ColumnId(c), now.values[c]});
    }
    for (const auto& [where, formula] : around_.formulas)
      if (where.first == table && formula.generated)
        statement.sets.push_back({where.second, unknown(schema_[table][where.second].type)});
  }
  append(std::move(statement));
  follow_keys(table, event);
  fire(table, event, false, true, written, &old, sets);
  if (skip) build_.end();
  build_.end();
}

void Lowering::append_update(Update statement) {
  const TableId table = statement.table;
  const std::vector<Insert::Set> sets = statement.sets;
  const bool has_triggers = has_row_triggers(table, Event::Update, sets);
  // A row that moves to another partition is deleted from one and inserted into the other.
  const auto& partitioned_by = schema_[table].partitioned_by;
  const bool moves =
      !partitioned_by.empty() && (has_triggers || std::ranges::any_of(sets, [&](const Insert::Set& set) {
                                    return std::ranges::count(partitioned_by, set.column) > 0;
                                  }));
  if (moves && (has_row_triggers(table, Event::Insert, {}) || has_row_triggers(table, Event::Delete, {})))
    not_understood(fmt::format("a move of rows between partitions of table {}, which has triggers,",
                               schema_[table].name));
  if (has_triggers) {
    each_row(std::move(statement), Event::Update);
  } else {
    // Columns that are calculated change with what they are made of.
    Row row;
    for (std::size_t c = 0; c < schema_[table].columns.size(); ++c) {
      const Column& column = schema_[table].columns[c];
      row.values.push_back(typed(field(ColumnId(c), column.type), column.declared));
    }
    for (const auto& set : sets) row.values[set.column.index()] = set.value;
    for (const auto& [where, formula] : around_.formulas)
      if (where.first == table && formula.generated)
        statement.sets.push_back({where.second, generated(table, where.second, row, formula.expression)});
    append(std::move(statement));
    follow_keys(table, Event::Update);
  }
}

void Lowering::append_delete(Delete statement) {
  const TableId table = statement.table;
  if (has_row_triggers(table, Event::Delete, {})) {
    each_row(std::move(statement), Event::Delete);
  } else {
    append(std::move(statement));
    follow_keys(table, Event::Delete);
  }
}

}  // namespace assay::sql
