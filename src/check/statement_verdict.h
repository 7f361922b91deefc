// A verdict about a history with statements, with everything needed to certify and explain it.
#pragma once

#include <optional>
#include <vector>

#include "check/subject.h"
#include "verdict/certificate.h"

namespace assay {

struct StatementVerdict {
  Verdict verdict;
  std::shared_ptr<Subject> subject{};  // the evidence is about its items; undecided may have none
  std::vector<Truth> outcomes{};       // holds: outcomes in the execution, also of deferred rows
  std::vector<Case> other_cases{};     // violated: the cases with other assumed outcomes
  std::optional<Case> certified{};     // violated: the proof for the certificate, if not the verdict's
};

// The case that a violation rules out.
Case case_of(const StatementVerdict& violated);

// The section of a certificate; the answer must not be undecided. `skew` is that of the clocks, in
// nanoseconds.
Section section_of(const StatementVerdict& answer, Level level, std::int64_t skew);

}  // namespace assay
