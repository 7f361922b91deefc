// A hash of a history, so that nobody checks a certificate against the wrong history.
//
// It is FNV-1a over a text that depends on what the history contains, not on its file format.
// docs/certificates.md specifies the text. The hash guards against mistakes, not against forgery. One pass
// over the operations.
#pragma once

#include <cstdint>
#include <string>

#include "history/history.h"

namespace assay {

std::uint64_t digest(const History& history);

// The text itself, to see why two digests differ.
std::string digest_text(const History& history);

}  // namespace assay
