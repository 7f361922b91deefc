// A small history as text, to take away and check again.
#pragma once

#include <string>
#include <string_view>

#include "history/history.h"

namespace assay {

// In a format that can say everything: hist or jsonl.
std::string part_text(const History& history, std::string_view format);

}  // namespace assay
