// Directories with one log file for each session, as Cobra and Viper write them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "history/builder.h"
#include "history_io/byte_source.h"

namespace assay {

// Whether `a` comes before `b` if runs of digits count as numbers: T2 before T10.
bool natural_less(std::string_view a, std::string_view b);

// The files PREFIX*.log of a directory in natural order. Ignores other files (.debug, .error).
std::vector<std::string> log_files(const std::string& directory, std::string_view prefix = {});

// Passes every PREFIX*.log of a directory to a reader with log(ByteSource&) and finish().
template <class Reader>
Result<History> read_logs(const std::string& directory, Budget* budget, std::string_view prefix = {}) {
  const std::vector<std::string> files = log_files(directory, prefix);
  if (files.empty()) return error("this directory holds no " + std::string(prefix) + "*.log file");
  Reader reader;
  for (const std::string& file : files) {
    auto source = ByteSource::open(file, budget);
    if (!source) return std::move(source).error();
    ASSAY_TRY(reader.log(*source));
  }
  return reader.finish();
}

// The name of a log's session: T7 for /some/where/T7.log.
std::string session_name_of(const std::string& path);
// The session with that name. An error if the name is not UTF-8.
Result<SessionId> session_of_log(HistoryBuilder& builder, const std::string& path);

// Whether the first log that is not empty satisfies `looks_like`.
bool logs_look_like(const std::string& directory, std::string_view prefix,
                    bool (*looks_like)(std::string_view beginning));

}  // namespace assay
