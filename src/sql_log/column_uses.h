// Which columns the values of a statement are compared with or written to.
#pragma once

#include <map>
#include <set>
#include <string>

#include "sql/schema.h"
#include "sql/tree.h"

namespace assay::sql_log {

// By the place of a literal or parameter in the statement's text: `table.column`, of tables of the schema.
// What stands in a longer expression has none.
using ColumnUses = std::map<std::int64_t, std::set<std::string>>;

ColumnUses column_uses(const sql::Json& statement, const sql::Schema& schema);

}  // namespace assay::sql_log
