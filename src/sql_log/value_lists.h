// `id IN ($1, $2, $3)`: lists of values, whose length an application chooses anew each time. As `id = ANY
// ($1)` they are one statement, with an array for its parameter.
#pragma once

#include "sql_log/shape.h"

namespace assay::sql_log {

// The statement with an array in place of each list of slots that meet a column of the schema.
ShapedStatement with_arrays(ShapedStatement statement, const sql::Schema& schema);

}  // namespace assay::sql_log
