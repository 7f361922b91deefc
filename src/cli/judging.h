// Judges for a user: Ctrl-C ends it, a line on the terminal shows progress, and --verbose prints how each
// verdict was found.
#pragma once

#include "judge/judge.h"

namespace assay::cli {

Result<Findings> judge_for_user(const std::string& file, const Format* format, JudgeOptions options,
                                bool verbose = false);
// The same for a history in memory; `called` and `format` describe it in the results.
Result<Findings> judge_for_user(History history, const std::string& called, std::string_view format,
                                JudgeOptions options);

}  // namespace assay::cli
