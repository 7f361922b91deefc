// Programs of a log as `-- transaction:` scripts, with comments that say what was assumed.
#pragma once

#include "sql_log/derive.h"
#include "sql_log/programs.h"

namespace assay::sql_log {

DerivedPrograms write_scripts(const std::vector<SeenProgram>& programs, const sql::Schema& schema);

}  // namespace assay::sql_log
