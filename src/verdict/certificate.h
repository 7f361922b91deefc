// Verdicts that can be checked by somebody else: the digest of a history and, for each level, an execution
// that explains it or a proof that there is none. docs/certificates.md defines the text.
//
// certify() (src/certify) reads one and decides whether to believe it; print() only translates.
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
  // (docs/certificates.md).
  Completion completion{};
  std::vector<Case> other_cases{};  // of violated, where truths are open
};

struct Certificate {
  std::uint64_t history = 0;  // digest()
  std::vector<Section> sections;
};

std::string print(const Certificate& certificate, const History& history);

}  // namespace assay
