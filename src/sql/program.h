// Transaction programs, as the analysis sees them: what SQL and PL/pgSQL text is lowered to.
//
// What a reader of this model may rely on:
// - *Single assignment.* Every variable is a parameter or is set by exactly one statement. Where the text
//   assigns again there is a new variable of the same name; after an If the branches meet in an Assign of a
//   Case over the condition. A variable that one round of a loop hands to the next is an Unknown in the loop.
// - A variable set inside loops (`Variable::depth` of them) has one value per round of each. After the loop
//   it is not used; an Unknown takes its place.
// - Statements run in order; there is no jump. What follows a RETURN, EXIT or CONTINUE is inside an If, and a
//   loop that may end before its time says so. Abort: a transaction that gets there has no effect at all.
// - Statements with the same `number` are one statement of the text (a join that was taken apart, a query
//   inside a query). Which of them share one view of the database under read committed, and which views are
//   surely newer than others, their snapshots say (snapshot.h).
// - What was lost on the way is more behaviour, never less, and is told in a Note.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sql/expression.h"
#include "sql/schema.h"
#include "sql/snapshot.h"

namespace assay::sql {

struct Variable {
  std::string name;
  Type type = Type::Integer;
  bool is_set = false;  // many values: an array
  bool parameter = false;
  std::uint32_t depth = 0;  // loops around the statement that sets it
  std::string declared{};   // PostgreSQL's type, where it is known
};

struct Statement;
using Block = std::vector<Statement>;

// A column of a result, and where it goes: `into` is none when the caller gets it or nobody does.
struct Output {
  enum class Aggregate : std::uint8_t { None, Count, Sum, Min, Max };
  Aggregate aggregate = Aggregate::None;
  ExpressionPtr value{};  // null for COUNT(*)
  bool distinct = false;  // COUNT(DISTINCT value)
  VariableId into{};
};

// What a statement tells its program besides its rows.
struct Effect {
  VariableId found{};  // Boolean: was there a row at all; none when nobody asks
  VariableId count{};  // Integer: how many rows; none when nobody asks
};

// Several sources are an inner join; `where` holds the join conditions too and is null for all rows.
struct Select {
  enum class Rows : std::uint8_t {
    Aggregate,  // one row, always; MIN, MAX and SUM of nothing are NULL
    First,      // of any row that matches; NULL in every variable when there is none
    Strict,     // of the only row that matches; aborts when there are none or several
    All,        // all of them: the rounds of a loop, or the elements of set variables
  };
  std::vector<TableId> sources{};
  ExpressionPtr where{};
  std::vector<Output> outputs{};
  Rows rows = Rows::First;
  bool for_update = false;    // its rows are locked against writers: FOR UPDATE, FOR NO KEY UPDATE, FOR SHARE
  bool stops_early = false;   // whoever asked may stop after any row: the others are not locked then
  bool shares_lock = false;   // FOR SHARE: others may lock them so too
  bool skips_locked = false;  // SKIP LOCKED: rows that others have locked are passed over
  bool given_back = false;    // its locks may not last until the end: they order nothing
  bool partial = false;       // of the matching rows only some may be read, by LIMIT or the like
  bool repeats = false;       // a row may come several times: it was joined with something that is no table
  Effect effect{};
};

// Defaults are spelled out: a constant, NULL, Fresh for a sequence, or Unknown.
struct Insert {
  enum class Conflict : std::uint8_t { Abort, Nothing, Update };
  TableId table;
  std::vector<ExpressionPtr> values;  // one per column of the table
  Conflict conflict = Conflict::Abort;
  std::vector<ColumnId> conflict_columns{};  // the unique key meant; empty: any of them
  struct Set {
    ColumnId column;
    ExpressionPtr value;
  };
  std::vector<Set> sets{};         // of Conflict::Update; fields are those of the row that was there
  ExpressionPtr conflict_where{};  // of Conflict::Update; null: always
  std::vector<Output> returning{};
  Effect effect{};
};

struct Update {
  using Set = Insert::Set;
  TableId table;
  std::vector<Set> sets;
  ExpressionPtr where{};
  std::vector<Output> returning{};  // of the new row
  Effect effect{};
};

struct Delete {
  TableId table;
  ExpressionPtr where{};
  std::vector<Output> returning{};
  Effect effect{};
};

struct Assign {
  VariableId variable;
  ExpressionPtr value;
};

struct If {
  ExpressionPtr condition;
  Block then;
  Block otherwise;
};

// Of a While nothing is known about the number of rounds: its condition is an If inside.
struct Loop {
  enum class Over : std::uint8_t { Query, Array, Integers, While };
  Over over = Over::While;
  Select query{};              // of Query: Rows::All, its outputs are the variables of the round
  VariableId array{};          // of Array: a set variable
  VariableId element{};        // of Array and Integers: the variable of the round
  ExpressionPtr from{}, to{};  // of Integers: both bounds belong to it; the step may be any
  Block body;
  bool may_stop_early = false;
  // What rounds hand on: the analysis takes it for anything, a replay calculates it.
  struct Carried {
    VariableId round{};             // what it is when a round begins
    VariableId after{};             // and when the loop is over
    ExpressionPtr first{}, next{};  // before the loop, and at the end of a round
  };
  std::vector<Carried> carried{};
  ExpressionPtr
      last{};  // at the end of a round: whether there is no other, by EXIT or by a WHILE; null: never
};

// The transaction is rolled back (RAISE EXCEPTION).
struct Abort {
  std::string message;
};

// What the caller gets to know (RETURN, OUT parameters, the result of a query).
struct Emit {
  std::vector<ExpressionPtr> values;
};

// Something that was not understood: it may read and write any row of these tables.
struct Opaque {
  std::string what;
  std::vector<TableId> reads{}, writes{};
};

struct Statement {
  std::variant<Select, Insert, Update, Delete, Assign, If, Loop, Abort, Emit, Opaque> what;
  Place place;
  std::uint32_t number = 0;  // of the statement of the text, within the program
  Snapshot snapshot{};       // what it reads with under read committed
};

enum class Isolation : std::uint8_t { ReadCommitted, RepeatableRead, Serializable };  // weakest first

// The level that a program asks for itself; `at_most`: a default that weakens what it would run at otherwise.
struct OwnIsolation {
  Isolation level;
  bool at_most = false;
};

struct Program {
  std::string name;
  std::vector<Variable> variables;
  std::vector<VariableId> parameters;
  Block body;
  Place place;
  std::optional<OwnIsolation> isolation{};

  const Variable& operator[](VariableId id) const { return variables[id.index()]; }
};

// Something that was over-approximated, for people.
struct Note {
  Place place;
  std::string text;
};

// What a set of files holds.
struct Application {
  Schema schema;
  std::vector<Program> programs;
  std::vector<Note> notes;
  // Programs that could not be read, and why. No answer is about them.
  struct LeftOut {
    std::string name;
    Note why;
  };
  std::vector<LeftOut> left_out{};
};

// `visit(statement, depth)` for every statement of a block and of the blocks inside, in order of the text.
template <class Visit>
void walk(const Block& block, Visit&& visit, std::uint32_t depth = 0) {
  for (const Statement& statement : block) {
    visit(statement, depth);
    if (const auto* branch = std::get_if<If>(&statement.what)) {
      walk(branch->then, visit, depth);
      walk(branch->otherwise, visit, depth);
    }
    if (const auto* loop = std::get_if<Loop>(&statement.what)) walk(loop->body, visit, depth + 1);
  }
}

}  // namespace assay::sql
