// Certificates: verdicts that others can check. A certificate has the digest of a history and, for each
// level, an execution that explains the history or a proof that there is none. docs/certificates.md defines
// the text.
//
// certify() (src/certify) checks a certificate; print() only translates it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "history/completion.h"
#include "history/history.h"
#include "isolation/level.h"
#include "verdict/proof.h"

namespace assay {

// A proof that no execution has these assumed outcomes.
struct Case {
  Completion completion;
  Proof proof;
};

struct Section {
  Level level;
  std::variant<Execution, Proof> evidence;  // for holds, for violated
  std::int64_t skew = 0;   // nanoseconds by which clocks may differ; for levels that need instants
  std::string found_by{};  // a comment of one line, which the parser skips
  // For histories with rows or predicates: the assumed outcomes and the explicit invisible reads. The
  // evidence names operations of the items that these give (docs/certificates.md).
  Completion completion{};
  std::vector<Case> other_cases{};  // for violated, if outcomes are open
};

struct Certificate {
  std::uint64_t history = 0;  // digest()
  std::vector<Section> sections;
};

std::string print(const Certificate& certificate, const History& history);

}  // namespace assay
