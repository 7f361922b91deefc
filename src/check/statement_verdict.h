// A verdict about a history with statements, with all that it takes to certify and to explain it.
#pragma once

#include <optional>
#include <vector>

#include "check/subject.h"
#include "verdict/certificate.h"

namespace assay {

struct StatementVerdict {
  Verdict verdict;
  std::shared_ptr<Subject> subject{};  // whose items the verdict speaks of; undecided may have none
  std::vector<Truth> outcomes{};       // holds: of the deferred rows in the execution, among others
  std::vector<Case> other_cases{};     // violated: with other outcomes assumed
  std::optional<Case> certified{};     // violated: the proof for the certificate, if it is not the verdict's
};

// The case that an answer is which is a violation.
Case case_of(const StatementVerdict& violated);

// Of an answer that is not undecided. `skew`: of the clocks, in nanoseconds.
Section section_of(const StatementVerdict& answer, Level level, std::int64_t skew);

}  // namespace assay
