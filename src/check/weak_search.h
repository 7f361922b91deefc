// Judges the weak levels when values were written more than once: searches for writers of the open reads that
// satisfy the level.
//
// Each possible writer of each open read has a variable. Once every read has a writer, the history is judged
// like one with unique values (saturation/weak_levels.h). A refutation depends on some of the choices, so
// they become a conflict clause. Judging a full assignment is expensive, and it usually has several
// conflicts: so one of these reads is left out, the rest is judged again, and each conflict found gives a
// clause. If all refutations have the same anomaly, it names the violation; otherwise the condition of the
// level does, which every assignment violates.
//
// Cost: one judgement for each clause. A caller that knows a stronger level to hold need not search.
#pragma once

#include <functional>
#include <optional>

#include "base/budget.h"
#include "dependency/read_facts.h"
#include "isolation/level.h"
#include "verdict/proof_builder.h"
#include "verdict/verdict.h"

namespace assay {

struct WeakSearch {
  std::optional<Verdict> verdict{};  // holds, or violated; nothing: stopped
  std::size_t choices = 0;
  std::uint64_t decisions = 0, conflicts = 0;
};

// `builder` makes proof builders for these facts, or for others where every read has one possible writer.
WeakSearch search_weak_level(const History& history, const ReadFacts& facts, Level level,
                             const std::function<ProofBuilder(const ReadFacts&)>& builder, Budget& budget);

}  // namespace assay
