#include "encoding/defining_clauses.h"

namespace assay {

void DefiningClauses::add() {
  // Each step may make more choices of its kind.
  for (; counting_done_ < versions_.made_counting().size(); ++counting_done_)
    add_shown_by(versions_.made_counting()[counting_done_]);
  for (; took_done_ < versions_.made_took().size(); ++took_done_)
    add_what_decides(versions_.made_took()[took_done_]);
}

// If t counts, so do the transactions whose elements its list reads show.
void DefiningClauses::add_shown_by(TxnId t) {
  for (const auto& [reader, order] : facts_.possibly_observed_by(t)) {
    const TxnId writer = facts_.writer(order.after);
    if (!order.adjacent || writer == t || facts_.counts[writer.index()]) continue;
    clauses_.add_axiom({~versions_.counting(t), versions_.counting(writer)},
                       {.rule = Rule::Shows, .op = order.read, .txn = writer});
  }
}

// The conditional write took place exactly if the version that it read matches.
void DefiningClauses::add_what_decides(std::uint32_t i) {
  const std::uint32_t read = facts_.conditional[i].read;
  if (!versions_.has_writers(read)) versions_.choose_writer(read);
  const Lit took = versions_.took(facts_.conditional_version(i));
  for (const bool matching : {true, false}) {
    std::vector<Lit> clause = sources(i, matching);
    for (const Lit source : clause)
      clauses_.add_axiom({~source, matching ? took : ~took},
                         {.rule = matching ? Rule::Unmatched : Rule::Matched,
                          .candidate = source.var() - versions_.is_from(read, 0).var(),
                          .write = i});
    clause.push_back(matching ? ~took : took);
    clauses_.add_axiom(std::move(clause), {.rule = matching ? Rule::Matched : Rule::Unmatched, .write = i});
  }
}

// The literals that say that it read a version which matches, or one which does not.
std::vector<Lit> DefiningClauses::sources(std::uint32_t i, bool matching) const {
  const ConditionalWrite& write = facts_.conditional[i];
  const auto candidates = facts_.candidates_of(facts_.open[write.read]);
  std::vector<Lit> result;
  for (std::size_t c = 0; c < candidates.size(); ++c)
    if (facts_.takes_place(h_, write, candidates[c]) == matching)
      result.push_back(versions_.is_from(write.read, c));
  return result;
}

}  // namespace assay
