// Writes the native format.
#pragma once

#include "history_io/format.h"

namespace assay {

Result<WriteReport> write_jsonl(const History& history, ByteSink& sink, const WriteOptions& options);

}  // namespace assay
