// SKIP LOCKED: what a query does not find may be there, locked by a transaction that it does not see.
#pragma once

#include "sql/program.h"

namespace assay::sql {

// Puts a conflict in front of each such query, unless skipping is harmless in this application.
void add_conflicts_of_skipping(Application& application);

}  // namespace assay::sql
