#include "check/supposed_literals.h"

#include <algorithm>

#include "base/contract.h"

namespace assay {
namespace {

// The order of suppositions: first the writers of reads, which imply who counts; then who counts and which
// conditional writes took place; then orders.
int turn(const Literal& literal) {
  if (literal.kind == Rule::Suppose) return 2;
  return literal.kind == Rule::From || literal.kind == Rule::NotFrom ? 0 : 1;
}

}  // namespace

Literal SupposedLiterals::meaning(Lit l) const {
  const Choice& choice = search_.choice(l.var());
  const Literal positive = [&] {
    switch (choice.rule) {
      case Rule::From: return Literal::from(facts_.open[choice.read].op, choice.first);
      case Rule::Counts: return Literal::counts(choice.first);
      case Rule::Took: return Literal::took(facts_.conditional[choice.read].op);
      case Rule::Exclusive: return Literal::before({choice.first, true}, {choice.second, !points_.two()});
      case Rule::Overwritten: return Literal::before({choice.first, !points_.two()}, {choice.second, true});
      default: return Literal::before({choice.first, true}, {choice.second, true});
    }
  }();
  return l.positive() ? positive : positive.contrary();
}

bool SupposedLiterals::is_fact(ClauseId id) const {
  const Derivations& steps = search_.solver().derivations();
  return steps.kind(id) == Derivations::Kind::Axiom && !steps.literals(id).empty() && choices_in(id) == 0;
}

std::size_t SupposedLiterals::choices_in(ClauseId id) const {
  return std::ranges::count_if(search_.solver().derivations().literals(id),
                               [&](Lit l) { return !is_fact(l); });
}

void SupposedLiterals::suppose_not(ClauseId id) {
  supposed_.clear();
  is_concluded_ = true;
  for (const int now : {0, 1, 2})
    for (const Lit l : search_.solver().derivations().literals(id)) {
      if (is_fact(l) || turn(meaning(~l)) != now) continue;
      const auto known = proof_.established(meaning(~l));
      is_concluded_ &= known.has_value();
      supposed_.push_back({~l, known ? *known : proof_.suppose(meaning(~l))});
    }
}

LineId SupposedLiterals::line(Lit l) const {
  const auto found = std::ranges::find(supposed_, l, &Supposed::literal);
  ASSAY_ASSERT(found != supposed_.end());
  return found->line;
}

LineId SupposedLiterals::line(Rule rule) const {
  for (const Supposed& s : supposed_)
    if (search_.choice(s.literal.var()).rule == rule) return s.line;
  return 0;
}

}  // namespace assay
