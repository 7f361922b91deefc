#include "history_io/format_rows.h"
namespace assay {
const Format format_rows::jsonl{.id = "jsonl", .description = "native", .extension = ".jsonl"};
}
