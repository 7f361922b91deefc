#include "check/writer_choices.h"

#include <algorithm>

#include "dependency/ranks.h"
#include "verdict/operation_place.h"

namespace assay {

WriterChoices::WriterChoices(const History& history, const ReadFacts& facts)
    : h_(history), facts_(facts), solver_(preference_) {
  const std::vector<std::uint32_t> rank = ranks(history);
  for (const OpenRead& read : facts.open) add_read(read, rank);
  for (const PossibleOrder& shown : facts.possibly_observed) add_shown(shown);
}

Var WriterChoices::add(Literal literal) {
  const Var var = solver_.new_variable();
  meaning_.push_back(literal);
  preference_.add_variable();
  return var;
}

Lit WriterChoices::counting(TxnId t) {
  const auto [found, fresh] = counting_.try_emplace(t, 0);
  if (fresh) found->second = add(Literal::counts(t));
  return Lit(found->second, true);
}

void WriterChoices::add_read(const OpenRead& read, std::span<const std::uint32_t> rank) {
  const auto candidates = facts_.candidates_of(read);
  std::vector<Lit> one_of;
  if (!facts_.counts[read.reader.index()]) one_of.push_back(~counting(read.reader));
  first_.push_back(static_cast<Var>(meaning_.size()));
  std::vector<Var> variables;
  for (const VersionId v : candidates) {
    variables.push_back(add(Literal::from(read.op, facts_.writer(v))));
    one_of.push_back(Lit(variables.back(), true));
  }
  std::ranges::stable_sort(variables, {},
                           [&](Var var) { return distance(read, candidates[var - first_.back()], rank); });
  preference_.add_read(std::move(variables));
  axioms_.emplace(solver_.add_clause(one_of), Axiom{read.op, TxnId::none()});
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    const TxnId writer = facts_.writer(candidates[c]);
    if (writer.is_none() || facts_.counts[writer.index()]) continue;
    const Lit counts = counting(writer);
    const std::vector<Lit> implies{~Lit(first_.back() + static_cast<Var>(c), true), counts};
    axioms_.emplace(solver_.add_clause(implies), Axiom{read.op, writer});
  }
}

// How unlikely it is that the read is from this version. Writers that count come first. Among these,
// writers before the reader come first, the newest at the front, and then those after it.
std::int64_t WriterChoices::distance(const OpenRead& read, VersionId v,
                                     std::span<const std::uint32_t> rank) const {
  const std::int64_t now = rank[read.reader.index()];
  const std::int64_t then = facts_.is_initial(v) ? -1 : std::int64_t{rank[facts_.writer(v).index()]};
  const bool counts = facts_.is_initial(v) || facts_.counts[facts_.writer(v).index()];
  const auto all = static_cast<std::int64_t>(rank.size());
  return (then < now ? now - then : all + then - now) + (counts ? 0 : 2 * all);
}

// If the reader counts, so do the writers of the elements that it read.
void WriterChoices::add_shown(const PossibleOrder& shown) {
  const TxnId writer = facts_.writer(shown.order.after);
  if (!shown.order.adjacent || writer == shown.reader || facts_.counts[writer.index()]) return;
  const Lit absent = ~counting(shown.reader);
  const std::vector<Lit> shows{absent, counting(writer)};
  axioms_.emplace(solver_.add_clause(shows), Axiom{shown.order.read, writer, true});
}

ReadFacts WriterChoices::chosen_facts() const {
  ReadFacts chosen = facts_;
  chosen.open.clear();
  chosen.candidates.clear();
  chosen.may_count.clear();
  for (const auto& [t, var] : counting_)
    if (solver_.is_true(Lit(var, true))) chosen.counts[t.index()] = true;
  for (std::size_t i = 0; i < facts_.open.size(); ++i) {
    const OpenRead& read = facts_.open[i];
    if (!chosen.counts[read.reader.index()]) continue;
    const auto candidates = facts_.candidates_of(read);
    for (std::size_t c = 0; c < candidates.size(); ++c)
      if (solver_.is_true(Lit(first_[i] + static_cast<Var>(c), true))) {
        chosen.reads.push_back({read.reader, read.op, read.key, facts_.writer(candidates[c]), candidates[c]});
        break;
      }
  }
  for (const auto& [reader, order] : facts_.possibly_observed)
    if (chosen.counts[reader.index()]) chosen.observed.push_back(order);
  std::ranges::inplace_merge(chosen.reads,
                             chosen.reads.begin() + static_cast<std::ptrdiff_t>(facts_.reads.size()), {},
                             &ReadFact::op);
  chosen.begin.assign(1, 0);
  std::size_t at = 0;
  for (const TxnId t : h_.transactions()) {
    while (at < chosen.reads.size() && chosen.reads[at].reader == t) ++at;
    chosen.begin.push_back(static_cast<std::uint32_t>(at));
  }
  return chosen;
}

bool WriterChoices::is_open(OpId op) const {
  if (op.is_none()) return false;
  const auto found = std::ranges::lower_bound(facts_.open, op, {}, &OpenRead::op);
  return found != facts_.open.end() && found->op == op;
}

std::optional<Lit> WriterChoices::absent_reader(OpId list) const {
  const auto found = counting_.find(transaction_of(h_, list));
  return found == counting_.end() ? std::nullopt : std::optional(~Lit(found->second, true));
}

Lit WriterChoices::from(OpId open_read, TxnId writer) const {
  const std::size_t i = static_cast<std::size_t>(
      std::ranges::lower_bound(facts_.open, open_read, {}, &OpenRead::op) - facts_.open.begin());
  const auto candidates = facts_.candidates_of(facts_.open[i]);
  const auto found = std::ranges::find(candidates, writer, [&](VersionId v) { return facts_.writer(v); });
  return Lit(first_[i] + static_cast<Var>(found - candidates.begin()), true);
}

LineId WriterChoices::state_axiom(ClauseId id, ProofBuilder& proof) const {
  const Axiom& axiom = axioms_.at(id);
  if (axiom.writer.is_none()) return proof.candidates(axiom.read);
  return axiom.shows ? proof.shows(axiom.read, axiom.writer) : proof.implies(axiom.read, axiom.writer);
}

}  // namespace assay
