#include "analysis/footprint.h"

#include <algorithm>

namespace assay::analysis {
namespace {

using sql::ColumnId;
using sql::Expression;
using sql::ExpressionPtr;
using sql::SourceId;
using sql::TableId;

class Collector {
 public:
  Collector(const Facts& facts, std::size_t program) : facts_(facts), program_(facts.programs()[program]) {}

  Footprint collect() {
    for (item_ = 0; item_ < program_.items.size(); ++item_) {
      const Item& item = program_.items[item_];
      if (item.select != nullptr) select(*item.select);
      if (const auto* statement = item.as<sql::Insert>()) insert(*statement);
      if (const auto* statement = item.as<sql::Update>()) update(*statement);
      if (const auto* statement = item.as<sql::Delete>()) remove(*statement);
      if (const auto* statement = item.as<sql::Opaque>()) opaque(*statement);
    }
    return std::move(footprint_);
  }

 private:
  bool changes(TableId table, ColumnId column) const {
    const TableFacts& facts = facts_.table(table);
    return (facts.updated[column.index()] || facts.opaque) && !facts_.schema()[table].in_primary_key(column);
  }

  void read(TableId table, SourceId source, ColumnId column, bool of_extreme = false) {
    if (!changes(table, column)) return;
    for (Read& read : footprint_.reads) {
      if (read.item != item_ || read.source != source || read.table != table || read.column != column)
        continue;
      read.of_extreme &= of_extreme;
      return;
    }
    footprint_.reads.push_back(
        {.item = item_, .source = source, .table = table, .column = column, .of_extreme = of_extreme});
  }
  void read_presence(TableId table, SourceId source, bool alive, Read::Why why = Read::Why::Rows,
                     std::size_t key = 0) {
    if (!facts_.table(table).presence_changes()) return;
    footprint_.reads.push_back({.item = item_,
                                .source = source,
                                .table = table,
                                .column = std::nullopt,
                                .alive = alive,
                                .why = why,
                                .key = key});
  }
  void read_fields(const ExpressionPtr& expression, const std::vector<TableId>& sources,
                   bool of_extreme = false) {
    sql::walk(expression, [&](const Expression& e) {
      if (e.kind == Expression::Kind::Field) read(sources[e.source.index()], e.source, e.column, of_extreme);
    });
  }
  void write(TableId table, ColumnId column) {
    if (!facts_.schema()[table].in_primary_key(column))
      footprint_.writes.push_back({.item = item_, .table = table, .column = column});
  }
  void write_presence(TableId table, bool alive) {
    footprint_.writes.push_back({.item = item_, .table = table, .column = std::nullopt, .alive = alive});
  }

  void select(const sql::Select& statement) {
    const sql::Output* best = extreme(statement);
    read_fields(statement.where, statement.sources);
    for (const sql::Output& output : statement.outputs)
      read_fields(output.value, statement.sources, best != nullptr && &output != best);
    for (std::size_t s = 0; s < statement.sources.size(); ++s)
      for (const bool alive : {true, false}) read_presence(statement.sources[s], SourceId(s), alive);
  }

  void insert(const sql::Insert& statement) {
    const sql::Table& table = facts_.schema()[statement.table];
    write_presence(statement.table, true);
    if (!table.primary_key.empty()) {
      read_presence(statement.table, SourceId(0), false, Read::Why::NewKey);
      if (statement.conflict != sql::Insert::Conflict::Abort)
        read_presence(statement.table, SourceId(0), true, Read::Why::NewKey);
    }
    for (std::size_t u = 0; u < table.unique.size(); ++u) {
      read_presence(statement.table, SourceId(0), false, Read::Why::UniqueKey, u);
      if (statement.conflict != sql::Insert::Conflict::Abort)
        read_presence(statement.table, SourceId(0), true, Read::Why::UniqueKey, u);
    }
    for (std::size_t u = 0; u < table.unique.size(); ++u)
      read_columns(statement.table, table.unique[u], Read::Why::UniqueKey, u);
    for (const auto& columns : table.loose_keys) read_conflicts(statement.table, columns);
    for (std::size_t k = 0; k < table.foreign_keys.size(); ++k)
      read_presence(table.foreign_keys[k].target, SourceId(0), true, Read::Why::Parent, k);
    const std::vector<TableId> sources = {statement.table};
    for (const auto& set : statement.sets) {
      read_fields(set.value, sources);
      write(statement.table, set.column);
    }
    read_fields(statement.conflict_where, sources);
    check_conflict_sets(statement);
  }

  // What DO UPDATE sets is checked like what an UPDATE sets; the inserted values were checked above.
  void check_conflict_sets(const sql::Insert& statement) {
    const sql::Table& table = facts_.schema()[statement.table];
    const auto sets_other = [&](const std::vector<ColumnId>& columns) {
      return std::ranges::any_of(statement.sets, [&](const auto& set) {
        return std::ranges::count(columns, set.column) > 0 &&
               set.value != statement.values[set.column.index()];
      });
    };
    for (const auto& columns : table.unique)
      if (sets_other(columns)) read_conflicts(statement.table, columns);
    for (const sql::ForeignKey& key : table.foreign_keys)
      if (sets_other(key.columns))
        for (const bool alive : {true, false})
          read_presence(key.target, SourceId(0), alive, Read::Why::LooseKey);
  }

  void update(const sql::Update& statement) {
    const std::vector<TableId> sources = {statement.table};
    read_fields(statement.where, sources);
    for (const auto& set : statement.sets) {
      read_fields(set.value, sources);
      if (facts_.tells_changes()) read(statement.table, SourceId(0), set.column);  // whether it changes
    }
    for (const sql::Output& output : statement.returning)
      sql::walk(output.value, [&](const Expression& e) {
        const bool new_value =
            std::ranges::any_of(statement.sets, [&](const auto& set) { return set.column == e.column; });
        if (e.kind == Expression::Kind::Field && !new_value) read(statement.table, e.source, e.column);
      });
    for (const bool alive : {true, false}) read_presence(statement.table, SourceId(0), alive);
    for (const auto& set : statement.sets) write(statement.table, set.column);
    if (moves_rows(facts_.schema(), statement))
      for (const bool alive : {true, false}) write_presence(statement.table, alive);
    check_constraints(statement);
    for (const Consequence& c : consequences(facts_.schema(), statement)) write_consequence(c);
  }

  static bool sets_any(const sql::Update& statement, const std::vector<ColumnId>& columns) {
    return std::ranges::any_of(statement.sets,
                               [&](const auto& set) { return std::ranges::count(columns, set.column) > 0; });
  }

  void check_constraints(const sql::Update& statement) {
    const sql::Table& table = facts_.schema()[statement.table];
    std::vector<std::vector<ColumnId>> keys = table.unique;
    keys.push_back(table.primary_key);
    keys.insert(keys.end(), table.loose_keys.begin(), table.loose_keys.end());
    for (const auto& columns : keys)
      if (sets_any(statement, columns)) read_conflicts(statement.table, columns);
    for (std::size_t k = 0; k < table.foreign_keys.size(); ++k)
      if (sets_any(statement, table.foreign_keys[k].columns))
        read_presence(table.foreign_keys[k].target, SourceId(0), true, Read::Why::Parent, k);
  }

  void read_columns(TableId table, const std::vector<ColumnId>& columns, Read::Why why, std::size_t key = 0) {
    for (const ColumnId column : columns)
      if (changes(table, column))
        footprint_.reads.push_back(
            {.item = item_, .source = SourceId(0), .table = table, .column = column, .why = why, .key = key});
  }
  // That no row conflicts, or (ON CONFLICT) that one does.
  void read_conflicts(TableId table, const std::vector<ColumnId>& columns) {
    for (const bool alive : {true, false}) read_presence(table, SourceId(0), alive, Read::Why::LooseKey);
    read_columns(table, columns, Read::Why::LooseKey);
  }
  void write_consequence(const Consequence& c) {
    for (const ColumnId column : c.sets) write(c.table, column);
    if (c.deletes || c.moves) write_presence(c.table, false);
    if (c.moves) write_presence(c.table, true);
  }

  void remove(const sql::Delete& statement) {
    const std::vector<TableId> sources = {statement.table};
    read_fields(statement.where, sources);
    for (const sql::Output& output : statement.returning) read_fields(output.value, sources);
    // A row that it misses stays, whoever asks; that it met one is known by what it wrote.
    read_presence(statement.table, SourceId(0), false);
    if (!statement.returning.empty() || !statement.effect.found.is_none() ||
        !statement.effect.count.is_none())
      read_presence(statement.table, SourceId(0), true);
    write_presence(statement.table, false);
    for (std::size_t child = 0; child < facts_.schema().tables.size(); ++child) {
      const auto& keys = facts_.schema().tables[child].foreign_keys;
      for (std::size_t k = 0; k < keys.size(); ++k) {
        if (keys[k].target != statement.table) continue;
        read_presence(TableId(child), SourceId(0), false, Read::Why::Children, k);
      }
    }
    for (const Consequence& c : consequences(facts_.schema(), statement)) write_consequence(c);
  }

  void opaque(const sql::Opaque& statement) {
    for (const TableId table : statement.reads) {
      for (std::size_t c = 0; c < facts_.schema()[table].columns.size(); ++c)
        if (changes(table, ColumnId(c)))
          footprint_.reads.push_back({.item = item_,
                                      .source = SourceId(0),
                                      .table = table,
                                      .column = ColumnId(c),
                                      .why = Read::Why::Everything});
      for (const bool alive : {true, false}) read_presence(table, SourceId(0), alive, Read::Why::Everything);
    }
    for (const TableId table : statement.writes) {
      for (std::size_t c = 0; c < facts_.schema()[table].columns.size(); ++c) write(table, ColumnId(c));
      for (const bool alive : {true, false}) write_presence(table, alive);
    }
  }

  const Facts& facts_;
  const ProgramFacts& program_;
  std::size_t item_ = 0;
  Footprint footprint_;
};

}  // namespace

Footprint footprint(const Facts& facts, std::size_t program) { return Collector(facts, program).collect(); }

const sql::Output* extreme(const sql::Select& select) {
  using Aggregate = sql::Output::Aggregate;
  if (select.rows != sql::Select::Rows::Aggregate || select.sources.size() != 1) return nullptr;
  const sql::Output* found = nullptr;
  for (const sql::Output& output : select.outputs) {
    if (output.aggregate == Aggregate::None) continue;
    if ((output.aggregate != Aggregate::Min && output.aggregate != Aggregate::Max) || found != nullptr)
      return nullptr;
    found = &output;
  }
  return found;
}

}  // namespace assay::analysis
