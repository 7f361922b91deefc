// Planted violations: a few transactions on keys of their own that are exactly one anomaly.
//
// Why it adds this anomaly and nothing else. The scheduler runs them in different sessions, all
// concurrent with each other and with nothing else in between, so that they are one block of the commit
// order. Every order there is (sessions, reads, versions, commits) goes forward in it, so no path leaves the
// block and comes back: what relates two planted transactions is what the script says. Afterwards their
// sessions catch up with the store, so that whatever became visible through the block (a planted read is a
// causal link between two sessions) is visible.
//
// A planted select looks at every row of the history. It asks for a negative value, which nobody else writes,
// so whatever it saw of others does not match; and what is planted does not match what others ask for. So it
// relates to planted writes only.
//
// In a table of rows the initial version of a planted key is that there is no row.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "history/history.h"
#include "isolation/anomaly.h"

namespace assay {

struct PlantedOperation {
  OpKind kind;                       // Read, Write, Append, ListRead or Select
  std::size_t key;                   // of the script's own, from 0
  std::vector<std::int64_t> values;  // one, or the list; a Select finds no row with this one
};

struct PlantedTransaction {
  Outcome outcome = Outcome::Committed;
  std::vector<PlantedOperation> operations;
};

// The anomalies that have a script.
std::vector<Anomaly> plantable_anomalies();
bool is_plantable(Anomaly anomaly);
// In lists, a write is an append and a read of the n-th version shows n elements.
std::vector<PlantedTransaction> planted_transactions(Anomaly anomaly, bool lists);

}  // namespace assay
