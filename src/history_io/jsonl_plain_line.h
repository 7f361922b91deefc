// The fast way through the native format, for lines that are spelled as our own writer spells them.
#pragma once

#include <string_view>

#include "history/builder.h"

namespace assay {

// Adds the operations of the line to the builder, and fills the head. False: not a plain line; some
// operations may have been added. ByteSource::kPadding bytes behind the line must be readable.
bool read_plain_line(std::string_view line, HistoryBuilder& builder, TransactionHead& head);

}  // namespace assay
