// Verdicts that can be checked by somebody else: the digest of a history and, for each level, an execution
// that explains it or a proof that there is none. docs/certificates.md defines the text.
//
// certify() decides whether to believe one; print() and parse_certificate() only translate.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "history/itemize.h"
#include "isolation/level.h"
#include "verdict/proof.h"

namespace assay {

// That there is no execution with these truths.
struct Case {
  Completion completion;
  Proof proof;
};

struct Section {
  Level level;
  std::variant<Execution, Proof> evidence;  // holds, violated
  std::int64_t skew = 0;   // nanoseconds by which clocks may differ; of the levels that need instants
  std::string found_by{};  // a comment, of one line: printed, and passed over by the parser
  // Where the history has rows or predicates: the truths that are open and are supposed, and the invisible
  // reads; the evidence speaks of the operations of the history that is made of items with these
  // (history/itemize.h).
  Completion completion{};
  std::vector<Case> other_cases{};  // of violated, where truths are open
};

struct Certificate {
  std::uint64_t history = 0;  // digest()
  std::vector<Section> sections;
};

std::string print(const Certificate& certificate, const History& history);

// An error carries the number of the line in its `place`. Only the form is checked: that words are known and
// numbers are those of transactions and operations that exist.
Result<Certificate> parse_certificate(std::string_view text, const History& history);
// The digest of the history that the certificate is about. Reads no further.
Result<std::uint64_t> history_of_certificate(std::string_view text, const History& history);

// The certificate could not be checked: a limit of the checker was reached, or it has no rules for what is
// claimed. So the certificate may be right, unlike one with any other error.
Error unchecked(std::string why);
bool is_unchecked(const Error& problem);

// The word for a kind of line, as in "missed".
std::string_view name(ProofLine::Kind kind);

}  // namespace assay
