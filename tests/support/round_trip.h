// Writing a history and reading it back, in memory or (for formats that are directories) on disk.
#pragma once

#include <string_view>

#include "history_io/format.h"

namespace assay::test {

// `text` in the named format, under the file name "test".
Result<History> read_text(std::string_view text, std::string_view format);
// As the named format writes it.
Result<std::string> write_text(const History& history, std::string_view format, WriteOptions options = {});
Result<History> round_trip(const History& history, std::string_view format, WriteOptions options = {});

}  // namespace assay::test
