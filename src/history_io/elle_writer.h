// Writes a history as Jepsen would have recorded it; elle_reader.h describes the fields.
//
// Every transaction is an invocation and a completion. If all instants are known, the lines are in the order
// of time, which Elle takes for real time. Otherwise the two lines of each transaction are adjacent. In both
// cases, invocations and completions of a process alternate. Cost: O(n log n) for sorting, 24 bytes a line.
#pragma once

#include "history_io/format.h"

namespace assay {

Result<WriteReport> write_elle_edn(const History& history, ByteSink& sink, const WriteOptions& options);
// The same operations in one array; keywords become strings.
Result<WriteReport> write_elle_json(const History& history, ByteSink& sink, const WriteOptions& options);

}  // namespace assay
