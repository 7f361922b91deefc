// Judging as commands do it: Ctrl-C ends it, a line on the terminal shows how far it is, and --verbose says
// how each verdict came about.
#pragma once

#include "judge/judge.h"

namespace assay::cli {

Result<Findings> judge_for_user(const std::string& file, const Format* format, JudgeOptions options,
                                bool verbose = false);
// A history that is at hand, and what to call it and its format.
Result<Findings> judge_for_user(History history, const std::string& called, std::string_view format,
                                JudgeOptions options);

}  // namespace assay::cli
