// CREATE TABLE and its relatives to a Schema.
//
// Keys may be named before their table exists (ALTER TABLE of a dump, foreign keys in any order of files), so
// all statements are collected first and keys are resolved at the end.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "sql/program.h"
#include "sql/tree.h"

namespace assay::sql {

class SchemaReader {
 public:
  explicit SchemaReader(std::vector<Note>& notes) : notes_(notes) {}

  // True when the statement was about the schema.
  Result<bool> add(const Json& statement, const Place& place);
  Result<Schema> finish();

 private:
  struct PendingKey {
    std::string table;
    Json constraint;
    std::vector<std::string> columns;
    Place place;
  };
  Result<void> create_table(const Json& create, const Place& place);
  Result<void> add_column(Table& table, const Json& definition, const Place& place);
  void alter_table(const Json& alter, const Place& place);
  Result<void> resolve(const PendingKey& key);
  Result<void> resolve_reference(Table& table, ForeignKey key, const PendingKey& pending);

  Schema schema_;
  std::vector<PendingKey> keys_;
  std::vector<Note>& notes_;
};

}  // namespace assay::sql
