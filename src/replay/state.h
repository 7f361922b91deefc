// The user's schema on the server, and the rows that a run starts from.
//
// Every run starts from the same state: all tables are emptied, the witness's rows are put there, then those
// that the files themselves insert, where they still fit. Triggers of the user do not fire for the witness's
// rows, because these are a state and not a change; constraints are enforced. Sequences begin far from all
// values of the witness.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "analysis/analyze.h"
#include "replay/gates.h"
#include "replay/outcome.h"
#include "replay/own_database.h"
#include "replay/values.h"
#include "sql/program.h"

namespace assay::replay {

// A row by the names of its columns, as literals.
struct PlacedRow {
  std::string table;  // as regclass prints it
  std::vector<std::string> columns;
  std::vector<std::optional<std::string>> values;
  bool operator==(const PlacedRow&) const = default;
};

class State {
 public:
  // Runs the files' statements. An error says why the schema cannot be made there.
  static Result<State> create(const OwnDatabase& own, const sql::Written& written, const Gates& gates);

  SqlSession& session() { return *session_; }
  ServerTypes& types() { return *types_; }
  bool small_sequences() const { return small_sequences_; }

  Result<std::vector<PlacedRow>> placed(const sql::Application& application,
                                        const std::vector<analysis::Row>& rows);
  // Empties the tables and puts the rows there. Sequences begin `shift` later. An error is the server's:
  // these rows are no possible state.
  Result<void> reset(const std::vector<PlacedRow>& rows, long long shift = 0);
  // The parents of foreign keys that these rows lack, and those that `run` makes orphans: `run` is called in
  // a transaction without foreign keys, which is rolled back.
  Result<std::vector<PlacedRow>> parents(const std::vector<PlacedRow>& rows,
                                         const std::function<void(SqlSession&)>& run);
  Result<std::map<std::string, std::vector<std::string>>> tables();

 private:
  struct Column {
    std::string name, type, modifier;
    bool generated, needed;  // needed: NOT NULL without a default
  };
  struct Key {  // a foreign key
    std::string name, child, parent;
    std::vector<std::string> child_columns, parent_columns;
  };
  State() = default;
  Result<void> execute(const std::string& sql);
  Result<std::vector<SqlRow>> ask(const std::string& sql);
  Result<void> run_setup(const sql::Written& written, const Gates& gates);
  Result<void> read_catalog();
  Result<void> insert_all(const std::vector<PlacedRow>& rows);
  Result<PlacedRow> parent_of(const Key& key, const SqlRow& values, long long number);
  // Of rows that are there and have none.
  Result<void> add_parents(std::vector<PlacedRow>& added);
  std::string schemas() const;

  std::unique_ptr<SqlSession> session_;
  std::unique_ptr<ServerTypes> types_;
  std::string gate_schema_, schema_;                    // schema_: the only one, when we have no database
  std::map<std::string, std::string> by_name_;          // regclass of tables by their bare name
  std::map<std::string, std::vector<Column>> columns_;  // by regclass
  std::vector<Key> keys_;
  std::vector<std::string> triggers_on_, triggers_off_;  // ALTER TABLE
  std::vector<std::string> seeds_;
  bool small_sequences_ = false;
};

}  // namespace assay::replay
