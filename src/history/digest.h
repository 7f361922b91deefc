// A number that tells histories apart, so that a certificate is not held against the wrong one.
//
// FNV-1a over a text that says what the history says, and not how a file said it: docs/certificates.md
// specifies the text. It guards against mistakes, not against forgery. One pass over the operations.
#pragma once

#include <cstdint>
#include <string>

#include "history/history.h"

namespace assay {

std::uint64_t digest(const History& history);

// The text itself, for whoever wants to see why two digests differ.
std::string digest_text(const History& history);

}  // namespace assay
