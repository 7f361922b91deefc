// Writes a history as Jepsen would have recorded it; elle_reader.h says what the fields mean.
//
// Every transaction is an invocation and a completion. When all instants are known the lines are in
// the order of time, as Elle expects (it takes the order of lines for real time); otherwise each
// transaction's two lines stand together. Either way the lines of one process alternate.
// Cost: O(n log n) for the order, 24 bytes a line.
#pragma once

#include "history_io/format.h"

namespace assay {

Result<WriteReport> write_elle_edn(const History& history, ByteSink& sink, const WriteOptions& options);
// One array of the same operations; keywords become strings.
Result<WriteReport> write_elle_json(const History& history, ByteSink& sink, const WriteOptions& options);

}  // namespace assay
