// From a model to an anomaly that people can read and a replay can run.
#pragma once

#include "analysis/encoding.h"

namespace assay::analysis {

// Of a cycle through the named transactions 0, 1, ..., in this order. Asks the solver again for an execution
// without any other transaction, and for small numbers, and falls back to the model given. Then for cycles of
// the same transactions with a pair of statements that none before had, up to options.cycles_per_tuple: a
// cycle that does no harm may hide one that does. Of these only executions without others count.
std::vector<FoundAnomaly> read_anomalies(Encoding& encoding, const z3::model& model);

// What to call a cycle.
Anomaly name_of(const Facts& facts, const FoundAnomaly& anomaly);

Harm harm_of(const Facts& facts, const FoundAnomaly& anomaly);

// The worst first; cycles of the same programs stay together.
void sort_by_harm(std::vector<FoundAnomaly>& anomalies);
// One of those that are about the same statements.
void fold(std::vector<FoundAnomaly>& anomalies);

}  // namespace assay::analysis
