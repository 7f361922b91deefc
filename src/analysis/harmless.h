// Anomalies that nobody can tell from a serial execution.
//
// Not every cycle hurts: two transactions may see writes in opposite order, and then do nothing. A cycle is
// harmless when every execution of its transactions that has it, from any beginning, tells its clients the
// same and leaves the same state as some serial execution of them: one of those that go round the cycle, from
// any of its transactions. The solver is asked for an execution in which all of these differ. What it cannot
// calculate (sums, counts, loops) counts as different, so an anomaly is dropped only when it is certain.
#pragma once

#include "analysis/queries.h"

namespace assay::analysis {

// Impossible: no harmful execution has such a cycle.
Answer harmful(const sql::Application& application, const Facts& facts, std::span<const Footprint> footprints,
               const Tuple& cycle);

}  // namespace assay::analysis
