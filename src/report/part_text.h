// Writes a small history as text, so that users can copy it and check it again.
#pragma once

#include <string>
#include <string_view>

#include "history/history.h"

namespace assay {

// Requires a format that can express every history: hist or jsonl.
std::string part_text(const History& history, std::string_view format);

}  // namespace assay
