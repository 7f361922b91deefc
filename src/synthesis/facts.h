// Between recorded histories and what specifications speak of.
#pragma once

#include "history/history.h"
#include "spec/finite_history.h"

namespace assay::synthesis {

// What a history says when these of its transactions of unknown outcome took effect.
struct RecordedFacts {
  spec::HistoryFacts facts;
  std::vector<TxnId> transactions;  // facts' transaction i + 1
  std::string wrong_read;           // not empty: why no level allows the history, whatever the specification
};
// An error for what specifications cannot speak of: lists, predicates, inserts and deletes.
Result<RecordedFacts> facts_of(const History& history, const std::vector<bool>& unknown_counts);

// A found history: transactions T1, T2, ... in sessions S1, S2, ...; reads before writes.
History history_of(const spec::HistoryFacts& facts);
std::string object_name(std::size_t object);  // x, y, z, ...
// With their labels: T1-red, x-red.
std::string transaction_name(const spec::HistoryFacts& facts, std::uint32_t transaction);
std::string object_name(const spec::HistoryFacts& facts, std::uint32_t object);

}  // namespace assay::synthesis
