// Parses the text of a certificate. Checks only the form: the words are known, and the numbers are those of
// existing transactions and operations.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "history/history.h"
#include "verdict/certificate.h"

namespace assay {

// The `place` of an error is the number of the line.
Result<Certificate> parse_certificate(std::string_view text, const History& history);
// The digest of the history that the certificate is about. Reads only the header.
Result<std::uint64_t> history_of_certificate(std::string_view text, const History& history);

}  // namespace assay
