// The rows of the table of formats, each defined in the file of its format.
#pragma once

#include "history_io/format.h"

namespace assay::format_rows {

extern const Format jsonl;
extern const Format hist;

}  // namespace assay::format_rows
