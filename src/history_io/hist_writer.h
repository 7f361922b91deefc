// Writes the history language.
#pragma once

#include "history_io/format.h"

namespace assay {

Result<WriteReport> write_hist(const History& history, ByteSink& sink, const WriteOptions& options);

}  // namespace assay
