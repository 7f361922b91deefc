// The directory of a run's journals, as history_io/journal.h reads it.
#pragma once

#include <string>

#include "collect/journal_file.h"
#include "simulate/generator.h"

namespace assay {

// Makes the directory, which must not be there yet, with its header.
Result<void> create_journals(const std::string& directory, DataKind data, const std::string& note);
// Writes the header, anew if there is one; `faults` is JSON, or nothing.
Result<void> write_journal_header(const std::string& directory, DataKind data, const std::string& note,
                                  const std::string& faults);
// Sessions count from 1.
Result<JournalFile> create_journal(const std::string& directory, std::size_t session);

}  // namespace assay
