#include "check/known_order.h"

#include "base/contract.h"
#include "check/other_level.h"
#include "check/refutation.h"
#include "dependency/crowded_reads.h"
#include "dependency/stale_in_time.h"

namespace assay {

KnownOrder::KnownOrder(Judging& judging, Level level, const PointRules& rules)
    : j_(judging),
      level_(level),
      rules_(rules),
      points_(judging.history.transaction_count(), rules.two_points),
      graph_(known_graph(judging.history, *judging.facts.repeatable(), rules)) {}

KnownOrder::KnownOrder(const KnownOrder& known, KnownGraph assumed)
    : j_(known.j_),
      level_(known.level_),
      rules_(known.rules_),
      points_(known.points_),
      graph_(std::move(assumed)),
      is_assumed_(true) {}

Verdict KnownOrder::violated_from_the_start() const {
  j_.effort.decided_by = "what is known from the start";
  const ReadFacts& facts = *j_.facts.repeatable();
  const KnownGraph known = known_graph(j_.history, facts, rules_, true);
  const auto cycle = find_cycle(Digraph(known.nodes, known.edges));
  DerivedFacts derived(j_.history, facts, rules_, known, 0);
  return unnamed(refute_known(derived, cycle, proof_builder(j_.history, level_, facts)));
}

std::optional<Verdict> KnownOrder::violated_by_a_stale_read() const {
  if (j_.has_learnt || is_assumed_) return std::nullopt;
  const ReadFacts& facts = *j_.facts.repeatable();
  const auto stale = find_stale_in_time(j_.history, facts, j_.facts.versions(), rules_, j_.budget);
  if (!stale) return std::nullopt;
  j_.effort.decided_by = "a read that is too old for the clocks";
  ProofBuilder proof = proof_builder(j_.history, level_, facts);
  const auto [read, overwriter] = *stale;
  const Point overwritten_at{overwriter, true}, begun{overwriter, !rules_.two_points};
  const LineId later = proof.realtime(overwritten_at, {read.reader, !rules_.two_points});
  const LineId older = read.writer.is_none() ? proof.overwritten_initial(read.op, overwriter)
                                             : proof.overwritten(read.op, overwriter,
                                                                 proof.realtime({read.writer, true}, begun));
  proof.refute({later, older});
  return unnamed(proof.take());
}

std::optional<Verdict> KnownOrder::violated_by_crowded_reads() const {
  if (!excludes_lost_updates(level_)) return std::nullopt;
  const ReadFacts& facts = *j_.facts.repeatable();
  const auto is_excluded = [&](std::uint32_t candidate) {
    return saturator_ && graph_.is_excluded(candidate);
  };
  const std::vector<OpId> crowded = find_crowded_reads(facts, j_.facts.versions(), is_excluded, j_.budget);
  if (crowded.empty()) return std::nullopt;
  j_.effort.decided_by = "more updates of a value than versions with it";
  if (j_.has_learnt || is_assumed_) return j_.violated_by_what_was_added();
  DerivedFacts derived(j_.history, facts, rules_, graph_, graph_.edges.size());
  return unnamed(
      refute_crowded(derived, facts, crowded, is_excluded, proof_builder(j_.history, level_, facts)));
}

void KnownOrder::prepare(TxnChains chains) {
  j_.effort.chains = chains.how;
  if (Saturator::fits(chains, graph_, j_.budget))
    saturator_.emplace(j_.history, *j_.facts.repeatable(), j_.facts.versions(), rules_, graph_,
                       std::move(chains), j_.budget);
  else j_.effort.chains += ", too many for clocks";
}

std::optional<Verdict> KnownOrder::derive(std::span<const KeyId> keys, std::span<const std::uint32_t> order) {
  const Saturation result = saturator_->look_at(keys, order);
  j_.effort.rounds = saturator_->rounds();
  j_.effort.derived = graph_.edges.size() - graph_.given;
  if (result.end == Saturation::End::Fixpoint) return std::nullopt;
  if (result.end == Saturation::End::Stopped)
    return j_.out_of_budget("nothing contradictory had followed from the reads yet");
  j_.effort.decided_by = "saturation";
  if (j_.has_learnt || is_assumed_) return j_.violated_by_what_was_added();
  return violated(result);
}

std::optional<Verdict> KnownOrder::derive_all(std::span<const std::uint32_t> order) {
  return derive(std::vector<KeyId>(j_.history.keys().begin(), j_.history.keys().end()), order);
}

Verdict KnownOrder::violated(const Saturation& result) const {
  const ReadFacts& facts = *j_.facts.repeatable();
  DerivedFacts derived(j_.history, facts, rules_, graph_, result.justified);
  ProofBuilder proof = proof_builder(j_.history, level_, facts);
  if (result.end == Saturation::End::Cycle)
    return unnamed(refute_known(derived, result.cycle, std::move(proof)));
  if (result.end == Saturation::End::NoWriter)
    return unnamed(refute_writers(derived, facts.open[result.read], std::move(proof)));
  return unnamed(
      refute_stale(derived, facts.reads[result.read], result.overwriting, points_, std::move(proof)));
}

void KnownOrder::take(const MovedReads& moved) {
  if (saturator_) saturator_->take(moved);
}

std::vector<VersionId> KnownOrder::possible_versions(KeyId key, TxnId reader) {
  if (saturator_) return saturator_->possible_versions(key, reader);
  return all_versions(j_.facts, key);
}

std::vector<std::pair<OpId, bool>> KnownOrder::decided_writes(std::span<const std::uint32_t> order) {
  std::vector<std::pair<OpId, bool>> decided;
  if (!saturator_ || derive_all(order)) return decided;
  saturator_->decide_conditional_writes();
  const ReadFacts& facts = *j_.facts.repeatable();
  for (const ConditionalWrite& write : facts.conditional)
    if (const auto how = graph_.decided[facts.place(write)]; how != KnownGraph::Decided::Open)
      decided.emplace_back(write.op, how == KnownGraph::Decided::Took);
  return decided;
}

std::vector<VersionId> all_versions(HistoryFacts& facts, KeyId key) {
  const auto versions = facts.versions().of(key);
  std::vector<VersionId> all(versions.begin(), versions.end());
  all.push_back(facts.repeatable()->initial_version(key));
  return all;
}

std::vector<std::uint32_t> order_near(const KnownGraph& known, std::span<const std::uint32_t> near) {
  auto order = topological_order(Digraph(known.nodes, known.edges), near);
  ASSAY_ASSERT(order.has_value());
  return std::move(*order);
}

}  // namespace assay
