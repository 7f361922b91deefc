#include "collect/journals.h"

#include <fmt/format.h>

#include <filesystem>

#include "history_io/byte_sink.h"
#include "history_io/journal.h"

namespace assay {

Result<void> create_journals(const std::string& directory, DataKind data, const std::string& note) {
  std::error_code problem;
  if (!std::filesystem::create_directory(directory, problem)) {
    Error taken = error(problem ? "cannot make the directory of the journals: " + problem.message()
                                : "there is something where the journals should go",
                        problem ? "" : "the journals of a run that was killed? check or remove them");
    taken.file = directory;
    return taken;
  }
  return write_journal_header(directory, data, note, "");
}

Result<void> write_journal_header(const std::string& directory, DataKind data, const std::string& note,
                                  const std::string& faults) {
  auto sink = ByteSink::create(fmt::format("{}/{}", directory, kJournalHeader));
  if (!sink) return std::move(sink).error();
  std::string header = "{\"assay\":1";
  if (data == DataKind::Registers) header += ",\"initial\":0";
  header += ",\"note\":";
  print_json_string(note, header);
  if (!faults.empty()) header += ",\"faults\":" + faults;
  sink->write(header + "}\n");
  return sink->close();
}

Result<JournalFile> create_journal(const std::string& directory, std::size_t session) {
  return JournalFile::create(fmt::format("{}/{}.journal", directory, session));
}

}  // namespace assay
