#include "verdict/rule.h"

#include "base/contract.h"

namespace assay {

std::span<const RuleRow> rules() {
  using enum Rule;
  static constexpr RuleRow rows[] = {
      {Session, "session", "ab"},
      {Reads, "reads", "o"},
      {Own, "own", "a"},
      {Path, "path", "*"},
      {Missed, "missed", "oa*"},
      {Overwritten, "overwritten", "oa*"},
      {Exclusive, "exclusive", "eb*"},
      {Observed, "observed", "oab"},
      {Realtime, "realtime", "pq"},
      {Candidates, "candidates", "o"},
      {Implies, "implies", "oa"},
      {Shows, "shows", "oa"},
      {Matched, "matched", "o"},
      {Unmatched, "unmatched", "o"},
      {Suppose, "suppose", "pq"},
      {From, "from", "ow"},
      {NotFrom, "not-from", "ow"},
      {Counts, "counts", "a"},
      {Absent, "absent", "a"},
      {Took, "took", "o"},
      {Left, "left", "o"},
      {Unit, "unit", "c"},
      {Refute, "refute", "*"},
      {Stale, "stale", "oa*"},
      {Falsified, "falsified", "c"},
      {Crowded, "crowded", "*"},
      {TooMany, "too-many", "o*"},
      {TooFew, "too-few", "o*"},
      {WrongRead, "wrong", "o"},
  };
  return rows;
}

Rule contrary(Rule supposition) {
  switch (supposition) {
    case Rule::From: return Rule::NotFrom;
    case Rule::NotFrom: return Rule::From;
    case Rule::Counts: return Rule::Absent;
    case Rule::Absent: return Rule::Counts;
    case Rule::Took: return Rule::Left;
    case Rule::Left: return Rule::Took;
    default: ASSAY_ASSERT(supposition == Rule::Suppose); return Rule::Suppose;
  }
}

}  // namespace assay
