#include "encoding/version_choices.h"

#include <algorithm>

namespace assay {

VersionChoices::VersionChoices(const SearchProblem& problem, Choices& choices, Clauses& clauses,
                               const DynamicOrder& execution)
    : facts_(problem.facts),
      known_(problem.known),
      points_(problem.points),
      choices_(choices),
      clauses_(clauses),
      execution_(execution),
      from_(facts_.open.size(), kNoVar),
      took_(facts_.conditional.size(), kNoVar),
      takes_place_(facts_.conditional.size()) {}

// Ranks versions by their positions in the current execution: the last one before the snapshot ranks highest,
// the initial version below all of those, and versions that the snapshot does not see lowest.
std::int64_t VersionChoices::age(VersionId version, std::uint32_t snapshot) const {
  constexpr std::int64_t kInitial = -1, kUnseen = -2;
  if (facts_.is_initial(version)) return kInitial;
  if (facts_.is_conditional(version) && !takes_place_[facts_.conditional_place(version)]) return kUnseen;
  const std::uint32_t commit = points_.commit(facts_.writer(version));
  return execution_.before(commit, snapshot) ? static_cast<std::int64_t>(execution_.position(commit))
                                             : kUnseen;
}

void VersionChoices::choose_writer(std::uint32_t i) {
  const OpenRead& read = facts_.open[i];
  const auto candidates = facts_.candidates_of(read);
  const std::uint32_t snapshot = points_.snapshot(read.reader);
  VersionId best;
  for (std::uint32_t c = 0; c < candidates.size(); ++c)
    if (!known_.is_excluded(read.first + c) &&
        (best.is_none() || age(candidates[c], snapshot) > age(best, snapshot)))
      best = candidates[c];

  std::vector<Lit> one_of;
  if (!facts_.counts[read.reader.index()]) one_of.push_back(~counting(read.reader));
  from_[i] = static_cast<Var>(choices_.size());
  for (const VersionId v : candidates) {
    const TxnId writer = facts_.writer(v);
    const Choice choice{Rule::From, writer, read.reader, i, v};
    const bool preferred = v == best;
    one_of.push_back(Lit(writer.is_none() ? choices_.add(choice, {}, {}, {}, preferred)
                                          : choices_.add(choice, Edge{points_.commit(writer), snapshot},
                                                         EdgeCause{Rule::Reads, read.op}, preferred),
                         true));
  }
  clauses_.add_axiom(std::move(one_of), {.rule = Rule::Candidates, .op = read.op});

  for (std::uint32_t c = 0; c < candidates.size(); ++c) {
    const TxnId writer = facts_.writer(candidates[c]);
    if (known_.is_excluded(read.first + c))
      clauses_.add_axiom({~is_from(i, c)},
                         {.rule = Rule::NotFrom, .op = read.op, .candidate = read.first + c});
    else if (facts_.is_conditional(candidates[c]))
      clauses_.add_axiom({~is_from(i, c), took(candidates[c])},
                         {.rule = Rule::Implies, .op = read.op, .txn = writer});
    else if (!writer.is_none() && !facts_.counts[writer.index()])
      clauses_.add_axiom({~is_from(i, c), counting(writer)},
                         {.rule = Rule::Implies, .op = read.op, .txn = writer});
  }
}

Lit VersionChoices::is_from(std::uint32_t read, VersionId version) const {
  const auto candidates = facts_.candidates_of(facts_.open[read]);
  return is_from(read, static_cast<std::size_t>(std::ranges::find(candidates, version) - candidates.begin()));
}

VersionId VersionChoices::chosen(std::uint32_t read) const {
  const auto candidates = facts_.candidates_of(facts_.open[read]);
  if (has_writers(read))
    for (std::size_t c = 0; c < candidates.size(); ++c)
      if (choices_.is_true(is_from(read, c))) return candidates[c];
  return VersionId::none();
}

Lit VersionChoices::counting(TxnId t) {
  const auto [found, is_new] = counting_.try_emplace(t, kNoVar);
  if (!is_new) return Lit(found->second, true);
  std::vector<Edge> edges;
  std::vector<EdgeCause> causes;
  for (const PossibleEdge& possible : std::ranges::equal_range(known_.if_counts, t, {}, &PossibleEdge::txn)) {
    edges.push_back(possible.edge);
    causes.push_back(possible.cause);
  }
  found->second = choices_.add({Rule::Counts, t}, edges, {}, causes, false);
  made_counting_.push_back(t);
  return Lit(found->second, true);
}

Lit VersionChoices::took(VersionId conditional) {
  const std::uint32_t i = facts_.conditional_place(conditional);
  if (took_[i] == kNoVar) {
    took_[i] = choices_.add({Rule::Took, facts_.conditional[i].writer, TxnId::none(), i}, {}, {}, {},
                            takes_place_[i]);
    made_took_.push_back(i);
  }
  return Lit(took_[i], true);
}

std::optional<bool> VersionChoices::decided(std::uint32_t conditional) const {
  if (took_[conditional] == kNoVar) return std::nullopt;
  return choices_.is_true(Lit(took_[conditional], true));
}

}  // namespace assay
