// Constraints that refuse pairs of rows by more than equal columns: partial indexes, indexes over
// expressions, EXCLUDE.
#pragma once

#include "sql/ddl.h"
#include "sql/lowering.h"

namespace assay::sql {

// Of each table the constraints that can be said with expressions of the model.
void add_row_keys(Schema& schema, const std::vector<RowKeyText>& keys, const Surroundings& around);

}  // namespace assay::sql
