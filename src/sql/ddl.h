// CREATE TABLE and its relatives to a Schema.
//
// Constraints may name tables that come later (foreign keys in any order of files), and a dump adds keys,
// defaults and partitions by ALTER TABLE. So tables and columns are made at once, everything that changes
// them is kept in the order of the text, and foreign keys come last.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "sql/program.h"
#include "sql/tree.h"
#include "sql/type_names.h"

namespace assay::sql {

// An expression of the schema that is calculated when rows are written: a default, a generated column.
struct ColumnFormula {
  Json expression;
  bool generated = false;  // from the new row, whenever it is written
  Place place;
};
// A constraint over expressions or some of the rows, as it is written.
struct RowKeyText {
  std::string table;
  struct Part {
    Json element;  // IndexElem
    std::string operation;
  };
  std::vector<Part> parts;
  Json where;
  Place place;
};
using ColumnFormulas = std::map<std::pair<TableId, ColumnId>, ColumnFormula>;

class SchemaReader {
 public:
  explicit SchemaReader(std::vector<Note>& notes) : notes_(notes) {}

  // True when the statement was about the schema. What it holds besides was compared with the table of
  // understood.h: `gaps` says what is not there.
  Result<bool> add(const Json& statement, const Place& place, const std::vector<std::string>& gaps);
  // A function of the files: from here on its name may not mean the built-in function.
  void add_function(const std::string& name) { own_functions_.insert(name); }
  // The table was dropped or renamed: its name may come again.
  void add_gone(const std::string& name) { gone_.insert(name); }
  // Rows that the files put into a table, outside of any program.
  void add_rows(const std::string& table) { seeded_.push_back(table); }
  Result<Schema> finish();
  bool sequences_repeat() const { return sequences_repeat_; }  // one may begin again: CYCLE
  const std::string& anything() const { return anything_; }    // why every program may do anything
  // Whether this is a table, an index, a constraint, a type, a sequence or an extension.
  bool knows(const std::string& name) const;
  bool has_unnamed_indexes() const { return unnamed_indexes_; }  // the server has named them
  bool is_empty() const { return schema_.tables.empty() && schema_.named_types.empty() && names_.empty(); }
  // After finish(): partitions that are not like the whole, and why. Only who names them meets the
  // difference.
  const std::map<std::string, std::string>& unlike_partitions() const { return unlike_; }
  // After finish(): constraints that refuse pairs of rows, besides keys.
  const std::vector<RowKeyText>& row_keys() const { return row_keys_; }
  // After finish(): the columns whose values have to be calculated.
  ColumnFormulas formulas();

 private:
  struct Change {  // of a table: a constraint, or a subcommand of ALTER TABLE
    std::string table;
    std::string kind;  // contype, or the subtype of the subcommand
    Json node;
    std::vector<std::string> columns;
    Place place;
    bool only = false;  // of the table, not of its partitions
  };
  struct NamedConstraint {
    std::string table, name, kind;
    std::vector<std::string> columns;
  };
  Result<void> create_table(const Json& create, const Place& place);
  void copy_columns(const std::string& from, Table& to);
  Result<void> add_column(Table& table, const Json& definition, const Place& place);
  void alter_table(const Json& alter, const Place& place);
  void add_index(const Json& index, const Place& place);
  void add_key_by_index(const std::string& table, const Json& constraint, const Place& place);
  void add_domain(const Json& domain, const Place& place);
  bool add_partition(const std::string& partition, const std::string& parent, const Place& place);
  void attach(const std::string& partition, const std::string& parent, const Place& place);
  void set_default(Table& table, Column& column, const Json& expression, bool generated, const Place& place);
  bool calls_function(const Json& node) const;
  bool is_own(const Json& call) const;
  NamedType resolved(const Json& type_name) const;
  // Whoever names the table may do anything, because of this.
  void unclear(const std::string& table, const Place& place, const std::string& what);
  void apply_unclear(const std::string& table, const std::string& what);

  Result<void> apply(const Change& change);
  Result<void> apply_constraint(Table& table, const Change& change, std::vector<ColumnId> columns);
  Result<void> alter_column(Table& table, const Change& change);
  void drop_constraint(Table& table, const Change& change);
  void check_partial_keys();
  // ddl_partitions.cpp
  void check_partitions();
  void find_partition_keys();
  void set_unlike(const std::string& partition, const std::string& what);
  bool same_formula(const std::string& partition, const std::string& whole, const std::string& column) const;
  Result<void> partition_constraint(const Change& change);
  void keep_row_key(const Change& change);
  Result<void> add_reference(const Change& change);
  std::vector<ColumnId> columns_in(const Table& table, const Json& node) const;
  Table* find(const std::string& name);

  Schema schema_;
  std::vector<Change> changes_;
  std::vector<NamedConstraint> named_;
  std::vector<RowKeyText> row_keys_;
  std::vector<std::pair<std::string, std::string>> unclear_;  // tables and what is not understood
  std::vector<std::string> seeded_;
  std::set<std::string, std::less<>> own_functions_;
  std::map<std::string, std::string> schemas_;    // of tables, by their names; empty: public
  std::set<std::string, std::less<>> gone_;       // dropped or renamed
  std::set<std::string, std::less<>> ambiguous_;  // several tables have this name
  std::map<std::pair<std::string, std::string>, ColumnFormula> formulas_;  // by table and column
  std::map<std::string, Json> domain_defaults_;
  std::map<std::string, Table> attached_;             // partitions that were tables first, as they were then
  std::map<std::string, std::string> unlike_;         // partitions, and how they differ from the whole
  std::set<std::string, std::less<>> names_;          // of sequences, row types and extensions
  std::map<std::string, Json> partitioned_;           // what tables are partitioned by
  std::set<std::string, std::less<>> plain_indexes_;  // that are not unique
  bool unnamed_indexes_ = false;
  bool sequences_repeat_ = false;
  std::string anything_;
  std::vector<Note>& notes_;
};

}  // namespace assay::sql
