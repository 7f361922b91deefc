// Reads the native format for a caller that knows more about the history than its lines say.
#pragma once

#include <functional>

#include "history/builder.h"
#include "history_io/byte_source.h"

namespace assay {

// Adds to the builder what the lines do not say: initial values of keys, or other instants.
using CompleteHistory = std::function<void(HistoryBuilder&)>;

// `complete` is called once, after the last line.
Result<History> read_jsonl(ByteSource& source, const CompleteHistory& complete);

}  // namespace assay
