#include "check/statement_verdict.h"

#include <algorithm>
#include <utility>

namespace assay {

Case case_of(const StatementVerdict& violated) {
  const Completion& made = violated.subject->items.completion;
  return {{made.reads, violated.subject->supposition.assumed, made.rows},
          std::get<Violated>(violated.verdict).proof};
}

Section section_of(const StatementVerdict& answer, Level level, std::int64_t skew) {
  Section section{level, {}};
  if (const auto* holds = std::get_if<Holds>(&answer.verdict)) {
    const Supposition& supposition = answer.subject->supposition;
    section.evidence = *holds;
    section.completion = {answer.subject->items.completion.reads, supposition.assumed};
    std::vector<Truth>& outcomes = section.completion.truths;
    for (const Truth& outcome : answer.outcomes)
      if (std::ranges::binary_search(supposition.deferred, outcome.row())) outcomes.push_back(outcome);
    std::ranges::sort(outcomes);
  } else {
    Case certified = answer.certified ? *answer.certified : case_of(answer);
    section.evidence = std::move(certified.proof);
    section.completion = std::move(certified.completion);
  }
  section.other_cases = answer.other_cases;
  section.skew = row(level).needs_instants() ? skew : 0;
  return section;
}

}  // namespace assay
