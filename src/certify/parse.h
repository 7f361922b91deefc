// The text of a certificate. Only the form is checked: that words are known, and numbers are those of
// transactions and operations that exist.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "history/history.h"
#include "verdict/certificate.h"

namespace assay {

// An error carries the number of the line in its `place`.
Result<Certificate> parse_certificate(std::string_view text, const History& history);
// The digest of the history that the certificate is about. Reads no further.
Result<std::uint64_t> history_of_certificate(std::string_view text, const History& history);

}  // namespace assay
