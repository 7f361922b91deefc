// The rows of the table of formats, each defined in the file of its format.
#pragma once

#include "history_io/format.h"

namespace assay::format_rows {

extern const Format jsonl;
extern const Format journal;
extern const Format jepsen;
extern const Format elle;
extern const Format dbcop_json;
extern const Format dbcop_hist;
extern const Format dbcop;
extern const Format polysi;
extern const Format cobra;
extern const Format viper;
extern const Format awdit;
extern const Format hist;

}  // namespace assay::format_rows
