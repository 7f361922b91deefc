// A directory with one log per session, as Cobra and Viper leave it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "history/builder.h"

namespace assay {

// Whether `a` comes before `b` when runs of digits count as numbers: T2 before T10.
bool natural_less(std::string_view a, std::string_view b);

// The files PREFIX*.log of a directory in natural order; other files (.debug, .error) are left alone.
std::vector<std::string> log_files(const std::string& directory, std::string_view prefix = {});

// T7 for /some/where/T7.log.
std::string session_name_of(const std::string& path);
// The session called so; an error when the name cannot be shown.
Result<SessionId> session_of_log(HistoryBuilder& builder, const std::string& path);

// Whether a log that is not empty begins as `looks_like` says.
bool logs_look_like(const std::string& directory, std::string_view prefix,
                    bool (*looks_like)(std::string_view beginning));

}  // namespace assay
