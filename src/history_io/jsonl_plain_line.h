// The fast way through the native format, for lines that are spelled as our own writer spells them.
#pragma once

#include <optional>
#include <string_view>

#include "history/builder.h"

namespace assay {

// Adds the operations of the line to the builder, and says what it says of the transaction. Nothing: not a
// plain line, and some of them may have been added. ByteSource::kPadding bytes after it must be readable.
std::optional<TransactionHead> read_plain_line(std::string_view line, HistoryBuilder& builder);

}  // namespace assay
