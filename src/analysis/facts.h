// What can be read off the programs without a solver: their statements taken out of blocks, who writes what,
// which columns never change, which ones only count upwards.
//
// An Item is something a program does, with the conditions and loops around it. Guards speak of variables
// only, so whether an item runs is exactly known in terms of them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "analysis/analyze.h"
#include "sql/program.h"

namespace assay::analysis {

struct Guard {
  sql::ExpressionPtr condition;
  bool negated;  // runs when the condition is false or NULL
};

struct Item {
  const sql::Statement* statement;
  const sql::Select* select = nullptr;  // of a Select and of a loop's query
  std::vector<Guard> guards;
  std::vector<std::size_t> loops;  // around it, outermost first
  std::size_t heads = kNone;       // the loop whose query it is
  bool of_change = false;          // a query in a statement that changes rows
  bool spreads = false;            // foreign keys carry what it writes on to other rows of its table

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  template <class T>
  const T* as() const {
    return heads == kNone ? std::get_if<T>(&statement->what) : nullptr;
  }
};

struct LoopFacts {
  const sql::Loop* loop;
  std::vector<Guard> guards;
  std::vector<std::size_t> loops;  // around it, and itself as the last
};

struct ProgramFacts {
  const sql::Program* program;
  std::vector<Item> items;  // in the order of the text
  std::vector<LoopFacts> loops;
};

struct TableFacts {
  bool inserted = false, deleted = false;  // by some program
  bool opaque = false;                     // a statement that is not understood may write it
  std::vector<bool> updated;               // per column
  std::vector<std::int64_t> counts;        // per column: every program adds at least this; 0: not a counter

  bool presence_changes() const { return inserted || deleted || opaque; }
};

// What foreign keys do to another table, or to other rows, when rows are deleted or their keys change.
struct Consequence {
  sql::TableId table;
  std::vector<sql::ColumnId> sets{};
  bool deletes = false;  // rows
  bool moves = false;    // rows, by a change of their primary keys
};

class Facts {
 public:
  Facts(const sql::Application& application, const Levels& levels, const Options& options);

  const sql::Application& application() const { return application_; }
  const sql::Schema& schema() const { return application_.schema; }
  const Levels& levels() const { return levels_; }
  const Options& options() const { return options_; }
  std::span<const ProgramFacts> programs() const { return programs_; }
  const TableFacts& table(sql::TableId id) const { return tables_[id.index()]; }
  // Whether the column of a row is the same for all who see the row: part of its key, or never written.
  bool fixed(sql::TableId table, sql::ColumnId column) const;
  // Whether keys and foreign keys are checked against what is committed, and held until the end, as servers
  // do: of programs at rc, si and ser.
  bool enforces_constraints() const { return enforces_constraints_; }
  // Whether an UPDATE that leaves a row as it is must be told from others: the server refuses to lock a row
  // that changed after the snapshot, and this one did not.
  bool tells_changes() const { return refuses_unseen_; }
  // From now on columns of rows that programs insert are not fixed: in other executions others may insert
  // them.
  void forget_inserted_values() { insert_once_ = false; }
  // Whether it only ever grows, by at least how much; 0 when nothing is known.
  std::int64_t counter(sql::TableId table, sql::ColumnId column) const;
  // A name of the expression that no other has. The solver's models depend on names, so that of an expression
  // of the programs does not depend on where it lies in memory.
  std::string name_of(const sql::Expression& e) const;

 private:
  void collect(ProgramFacts& program, const sql::Block& block, std::vector<Guard>& guards,
               std::vector<std::size_t>& loops);
  void note_writes(ProgramFacts& program);
  void note_consequences(const std::vector<Consequence>& all, sql::TableId written, Item& item);
  void find_counters();
  void number_expressions();

  const sql::Application& application_;
  const Levels& levels_;
  const Options& options_;
  std::vector<ProgramFacts> programs_;
  std::vector<TableFacts> tables_;
  std::unordered_map<const sql::Expression*, std::size_t> numbers_;
  bool insert_once_ = false, counters_hold_ = false, enforces_constraints_ = false, refuses_unseen_ = false;
};

std::vector<Consequence> consequences(const sql::Schema& schema, const sql::Delete& statement);
std::vector<Consequence> consequences(const sql::Schema& schema, const sql::Update& statement);

// The table that an item writes, or none.
sql::TableId written_table(const Item& item);
// Whether an UPDATE changes the identity of rows.
bool moves_rows(const sql::Schema& schema, const sql::Update& update);
// Per column of the key: what the WHERE says it equals, free of fields. Empty unless all columns are pinned.
std::vector<sql::ExpressionPtr> pinned_key(const sql::Table& table, const sql::ExpressionPtr& where);
// The conjuncts of a condition.
std::vector<sql::ExpressionPtr> conjuncts(const sql::ExpressionPtr& condition);
bool mentions(const sql::ExpressionPtr& expression, sql::SourceId source, sql::ColumnId column);

}  // namespace assay::analysis
