#include "encoding/clauses.h"

namespace assay {

void Clauses::state_facts() {
  for (const auto& [number, overwriting] : facts_waiting_) {
    const ReadFact& read = facts_.reads[number];
    const Lit holds(choices_.add({.rule = Rule::Overwritten, .is_fact = true},
                                 Edge{points_.snapshot(read.reader), points_.commit(overwriting)},
                                 {Rule::Overwritten, read.op}),
                    true);
    axioms_.emplace(solver_.add_clause(std::span(&holds, 1)),
                    Axiom{.rule = Rule::Overwritten, .op = read.op, .txn = overwriting});
  }
  facts_waiting_.clear();
}

bool Clauses::state_clauses() {
  const bool any = !axioms_waiting_.empty() || !missed_waiting_.empty();
  for (const WaitingAxiom& waiting : axioms_waiting_)
    axioms_.emplace(solver_.add_clause(waiting.literals), waiting.axiom);
  axioms_waiting_.clear();
  for (const WaitingMissed& waiting : missed_waiting_)
    missed_.push_back(solver_.add_lemma(waiting.literals, waiting.reasons));
  missed_waiting_.clear();
  return any;
}

}  // namespace assay
