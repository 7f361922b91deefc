// The fast path of the native format, for lines in the form that our own writer produces.
#pragma once

#include <string_view>

#include "history/builder.h"

namespace assay {

// Adds the operations of the line to the builder, and fills the head. Returns false if the line does not have
// that form; some operations may have been added by then. ByteSource::kPadding bytes after the line must be
// readable.
bool read_plain_line(std::string_view line, HistoryBuilder& builder, TransactionHead& head);

}  // namespace assay
