// What part a statement of a log plays: the application's work, the bounds of a transaction, or the talk of
// drivers and frameworks around it.
#pragma once

#include <cstdint>
#include <string>

#include "sql/schema.h"
#include "sql/tree.h"

namespace assay::sql_log {

enum class Role : std::uint8_t {
  Work,
  Begin,
  Commit,
  Rollback,
  Savepoint,
  Release,
  RollbackTo,
  SetLevel,  // SET TRANSACTION ISOLATION LEVEL, also of the session
  Cursor,    // DECLARE: its query is work
  Talk,      // has no influence on rows: SHOW, most SETs, queries of the catalogue, FETCH of a cursor
  Schema,    // changes what tables there are
};

struct Part {
  Role role = Role::Work;
  std::string name{};    // of a savepoint
  std::string level{};   // of Begin and SetLevel: `serializable`; empty where it is not said
  bool session = false;  // of SetLevel: for the transactions to come
  std::string remark{};  // what about it is not followed
  bool chain = false;    // of Commit and Rollback: the next transaction begins at once
};

// `node` is a statement as sql::parse_sql gives it. Tables of the schema are never the catalogue's.
Part part_of(const sql::Json& node, const sql::Schema& schema);

}  // namespace assay::sql_log
