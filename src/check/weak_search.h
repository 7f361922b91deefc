// The weak levels where values were written more than once: some choice of writers must satisfy the level.
//
// A variable for each possible writer of each open read. When one is chosen for each, the history is one of
// unique values and is judged as such (saturation/weak_levels.h); what refutes it rests on some of the
// choices, which cannot all be right. One of these reads is left out then, and the rest judged again: a
// choice of all writers is dear, and has several things wrong with it. Nothing is learnt about choices that
// had no part in it. If all that were refuted have one name, that is the name of the violation; otherwise it
// is called after the level's condition, which all of them break.
//
// Cost: a judgement per lemma. Whoever finds a stronger level satisfied need not come here.
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
