// The directory of a run's journals, as history_io/journal.h reads it.
#pragma once

#include <string>

#include "collect/journal_file.h"
#include "simulate/generator.h"
#include "simulate/row_table.h"

namespace assay {

struct JournalHeader {
  DataKind data = DataKind::Registers;
  const RowTable* rows = nullptr;  // where keys are rows
  std::string note{};
  std::string faults{};  // JSON, or nothing
};

// Makes the directory, which must not be there yet, with its header.
Result<void> create_journals(const std::string& directory, const JournalHeader& header);
// Writes the header, anew if there is one.
Result<void> write_journal_header(const std::string& directory, const JournalHeader& header);
// Sessions count from 1.
Result<JournalFile> create_journal(const std::string& directory, std::size_t session);

}  // namespace assay
