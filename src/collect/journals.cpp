#include "collect/journals.h"

#include <fmt/format.h>

#include <filesystem>

#include "collect/print_row.h"
#include "history_io/byte_sink.h"
#include "history_io/journal.h"

namespace assay {
namespace {

void print_initial_rows(const RowTable& rows, std::string& line) {
  line += ",\"initial\":[";
  for (std::size_t key = 0; key < rows.initial().size(); ++key) {
    if (rows.initial()[key] == kNoRow) continue;
    fmt::format_to(std::back_inserter(line), "{}[{},", line.back() == '[' ? "" : ",", key);
    print_row(rows.initial()[key], rows.has_two_columns(), line);
    line += ']';
  }
  line += ']';
}

}  // namespace

Result<void> create_journals(const std::string& directory, const JournalHeader& header) {
  std::error_code problem;
  if (!std::filesystem::create_directory(directory, problem)) {
    Error taken = error(problem ? "cannot make the directory of the journals: " + problem.message()
                                : "there is something where the journals should go",
                        problem ? "" : "the journals of a run that was killed? check or remove them");
    taken.file = directory;
    return taken;
  }
  return write_journal_header(directory, header);
}

Result<void> write_journal_header(const std::string& directory, const JournalHeader& header) {
  auto sink = ByteSink::create(fmt::format("{}/{}", directory, kJournalHeader));
  if (!sink) return std::move(sink).error();
  std::string line = "{\"assay\":1";
  if (header.rows != nullptr) print_initial_rows(*header.rows, line);
  else if (header.data == DataKind::Registers) line += ",\"initial\":0";
  line += ",\"note\":";
  print_json_string(header.note, line);
  if (!header.faults.empty()) line += ",\"faults\":" + header.faults;
  sink->write(line + "}\n");
  return sink->close();
}

Result<JournalFile> create_journal(const std::string& directory, std::size_t session) {
  return JournalFile::create(fmt::format("{}/{}.journal", directory, session));
}

}  // namespace assay
