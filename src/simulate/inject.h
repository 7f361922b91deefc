// Planted violations: a few transactions, on keys of their own, that exhibit exactly one anomaly.
//
// Why the plant adds only this anomaly. The scheduler runs the planted transactions in different sessions,
// concurrently with each other and with nothing in between, so they form one block of the commit order. Every
// order in the history (session order, reads, version order, commits) goes forward in the commit order, so no
// path leaves the block and comes back: only the script relates two planted transactions. Afterwards their
// sessions catch up with the store, because a planted read is a causal link between two sessions: what became
// visible through it stays visible.
//
// A planted select looks at every row of the history. It asks for a negative value, which only planted writes
// have, so no other row matches; and no other select matches planted rows. So it depends on planted writes
// only.
//
// In a table of rows, the initial version of a planted key is the absence of a row.
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
  std::size_t key;                   // counted from 0 within the script
  std::vector<std::int64_t> values;  // one, or those of the list; a Select finds no row with this one
};

struct PlantedTransaction {
  Outcome outcome = Outcome::Committed;
  std::vector<PlantedOperation> operations;
};

// The anomalies that can be planted.
std::vector<Anomaly> plantable_anomalies();
bool is_plantable(Anomaly anomaly);
// With `lists`, a write becomes an append, and a read of the n-th version returns n elements.
std::vector<PlantedTransaction> planted_transactions(Anomaly anomaly, bool lists);

}  // namespace assay
