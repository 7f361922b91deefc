// Is a set of SQL programs serializable on a store that promises less?
//
// An execution that is not serializable has a cycle of dependencies between its transactions. analyze() looks
// for cycles of up to `cycle` transactions, among all executions that the level allows, with any number of
// other transactions around them; and on request for a proof that there is no cycle of any length. What it
// does not find up to the length does not exist; what it finds is an execution of an over-approximation:
// replay it to be sure. A query that takes too long makes the answer "not decided", never a guess.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/store_level.h"
#include "isolation/anomaly.h"
#include "sql/program.h"

namespace assay::analysis {

// Which writes of two transactions a store keeps apart when it promises to (PSI, SI).
enum class Granularity : std::uint8_t { Row, Column };

// What may stand in a table into which programs insert, before any of them ran.
enum class InitialRows : std::uint8_t {
  FromPrograms,  // rows that programs of the set could have inserted
  Any,
};

// How a proof for any number of transactions is looked for (proof.h).
enum class ProofScheme : std::uint8_t { Auto, Inductive, ShortestPath, Window };

struct Progress {
  std::string_view what;  // "cycles of 3", "inductive proof", "chordless paths of 4"
  std::size_t done, total;
};

struct Options {
  unsigned cycle = 3;        // the longest cycle to look for
  bool prove = false;        // look for a proof when there is no cycle up to that length
  bool all_lengths = false;  // go on to longer cycles after shorter ones were found
  ProofScheme scheme = ProofScheme::Auto;
  unsigned longest_path =
      4;  // of the shortest-path and window proofs; cycles up to this length are looked for
  Granularity granularity = Granularity::Row;
  InitialRows initial_rows = InitialRows::FromPrograms;
  // Of one tuple of programs, how many cycles by different pairs of statements to look for.
  unsigned cycles_per_tuple = 1;
  unsigned other_witnesses = 0;  // of each cycle, for who has to try
  bool drop_harmless = false;    // anomalies that no client and no state can tell from a serial execution
  unsigned threads = 2;
  double seconds_per_query = 60;
  std::function<bool()> stop = [] { return false; };  // asked now and then, from any thread
  std::function<void(const Progress&)> progress = [](const Progress&) {};  // never from two threads at once
};

enum class Outcome : std::uint8_t { AnomalyFound, NoneUpToCycle, Serializable, NotDecided };

struct Value {
  sql::Type type = sql::Type::Integer;
  bool null = false;
  std::string text;  // in PostgreSQL's spelling, without quotes
};

struct Row {
  sql::TableId table;
  std::vector<Value> values;  // one per column
};

// A transaction of an anomaly: a program and what it is called with.
struct Call {
  std::size_t program;
  std::vector<std::vector<Value>> arguments;  // per parameter: one value, or the elements of an array
  StoreLevel level;
};

enum class Dependency : std::uint8_t { Wr, Rw, Ww };

struct Edge {
  Dependency kind;
  std::size_t from, to;                        // calls of the anomaly
  std::uint32_t from_statement, to_statement;  // Statement::number
  sql::Place from_place, to_place;
  sql::TableId table;
  std::vector<Value> key;               // of the record, by the columns of the primary key; empty without one
  std::optional<sql::ColumnId> column;  // none: whether the row exists
};

// One step of a replay: statements run in the order of the steps; a transaction begins with its first.
struct Step {
  enum class Kind : std::uint8_t { Statement, Commit };
  Kind kind;
  std::size_t call;
  std::uint32_t statement = 0;  // Statement::number
};

// What an anomaly may do, the worst first.
enum class Harm : std::uint8_t {
  LostUpdate,  // a change is overwritten by who did not see it
  Writes,      // all transactions of the cycle write: what holds of the rows may break
  Reads,       // one of them only reads: it may see what never was
};

struct FoundAnomaly {
  Anomaly name;
  Harm harm = Harm::Writes;
  std::vector<Call> calls;
  std::vector<Edge> cycle;  // from call 0 on, each to the next, the last back to 0
  std::vector<Row> initial_rows;
  std::vector<Step> schedule;
  bool complete;           // values, rows and order fit together: nothing but these calls is needed
  std::size_t folded = 0;  // others by the same statements
  std::vector<FoundAnomaly> others{};  // further witnesses of the same cycle: other rows, other calls
};

struct Proof {
  enum class Kind : std::uint8_t { Inductive, ShortestPath, Window, NoDependencies };
  Kind kind;
  std::vector<std::vector<std::size_t>> rounds;  // inductive: the programs that each round takes out
  // Shortest path: no chordless path this long. Window: no path this long ends before everything on it.
  unsigned length = 0;
  std::vector<std::size_t> excluded{};  // programs of which the server excludes cycles among themselves
};

struct Analysis {
  Outcome outcome = Outcome::NotDecided;
  unsigned cycle = 0;  // cycles up to this length were looked at
  std::vector<FoundAnomaly> anomalies;
  std::size_t harmless = 0;  // dropped
  std::optional<Proof> proof;
  std::vector<std::string>
      notes;  // assumptions that the answer rests on, and what kept it from being decided
  std::size_t queries = 0, undecided_queries = 0;
};

Analysis analyze(const sql::Application& application, const Levels& levels, const Options& options);

}  // namespace assay::analysis
