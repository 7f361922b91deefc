#include "check/weak_judge.h"

#include "check/weak_search.h"
#include "saturation/weak_levels.h"

namespace assay {

Verdict judge_weak(Level level, Judging& j) {
  const ReadFacts& facts = j.facts.at(level);
  if (facts.open.empty())
    return judge_weak_level(j.history, facts, level, proof_builder(j.history, level, facts), j.budget);
  j.effort.decided_by = "search";
  WeakSearch result = search_weak_level(
      j.history, facts, level, [&](const ReadFacts& f) { return proof_builder(j.history, level, f); },
      j.budget);
  j.effort.choices = result.choices;
  j.effort.decisions = result.decisions;
  j.effort.conflicts = result.conflicts;
  if (result.verdict) return std::move(*result.verdict);
  return j.out_of_budget(
      fmt::format("the search for the writers of reads had met {} conflicts", j.effort.conflicts));
}

}  // namespace assay
