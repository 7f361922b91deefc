// Writes the log directories that Cobra's tools read. cobra.cpp reads them.
#pragma once

#include "history_io/format.h"

namespace assay::cobra {

// Writes the logs of all sessions to a new directory. If any fails, the directory does not appear.
Result<WriteReport> write_directory(const History& history, const std::string& path,
                                    const WriteOptions& options);

}  // namespace assay::cobra
