#include "check/known_verdicts.h"

#include <algorithm>

namespace assay {

const Verdict* KnownVerdicts::find(Level level) const {
  const auto known = std::ranges::find(verdicts_, level, &KnownVerdict::level);
  return known == verdicts_.end() ? nullptr : &known->verdict;
}

std::optional<Verdict> KnownVerdicts::implied(Level level, const HistoryFacts& facts) const {
  for (const KnownVerdict& known : verdicts_) {
    if (known.level == level) return known.verdict;
    if (const auto* holds = std::get_if<Holds>(&known.verdict); holds && implies(known.level, level))
      return reads_repeat(known.level) ? holds_at(level, facts, *holds, has_total_order(known.level))
                                       : *holds;
    if (const auto* violated = std::get_if<Violated>(&known.verdict); violated && implies(level, known.level))
      if (auto proof = proof_at(level, facts, known.level, violated->proof))
        return unnamed(std::move(*proof));
  }
  return std::nullopt;
}

const Verdict& KnownVerdicts::add(Level level, Verdict verdict) {
  return verdicts_.emplace_back(level, std::move(verdict)).verdict;
}

void KnownVerdicts::forget_undecided() {
  std::erase_if(verdicts_,
                [](const KnownVerdict& k) { return std::holds_alternative<Undecided>(k.verdict); });
}

void KnownVerdicts::forget_executions() {
  std::erase_if(verdicts_, [](const KnownVerdict& k) { return std::holds_alternative<Holds>(k.verdict); });
}

}  // namespace assay
