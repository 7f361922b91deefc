#include "explain/name.h"

#include <algorithm>
#include <array>
#include <set>

#include "dependency/crowded_reads.h"
#include "explain/core.h"

namespace assay {
namespace {

using LineKind = Rule;

bool holds(const History& core, Level level, const CheckOptions& how) {
  const auto verdict = Checker(core, how).judge(level);
  return verdict && std::holds_alternative<Holds>(*verdict);
}

// Two transactions that read one version of a key and both overwrite it, whomever their reads are from.
bool has_lost_update(const History& h) {
  const auto facts = read_facts(h, true);
  if (!facts) return false;
  const auto no_candidate = [](std::uint32_t) { return false; };
  return !find_crowded_reads(*facts, VersionIndex(*facts, h.key_count()), no_candidate, Budget::unlimited())
              .empty();
}

bool has_stale_initial_read(const Proof& proof) { return uses(proof, LineKind::Stale); }

// The one that shows the most of a list; none if there is no list read.
OpId longest_list(const History& h, TxnId t) {
  OpId longest;
  for (const OpId op : h.operations(t))
    if (h.kind(op) == OpKind::ListRead && (longest.is_none() || h.rows(op).size() > h.rows(longest).size()))
      longest = op;
  return longest;
}

// Two anti-dependencies and no version order: two readers, each missing what the other saw.
bool is_fork_of_two(const Proof& proof) {
  std::set<OpId> missing;
  for (const ProofLine& line : proof) {
    if (line.kind == LineKind::Observed) return false;
    if (line.kind == LineKind::Overwritten || line.kind == LineKind::Stale) missing.insert(line.op);
  }
  return missing.size() == 2;
}

// Serializable once the transactions that write nothing are left out; all but one list read of each, which by
// itself fits anywhere and only says in which order others wrote.
bool is_read_only_anomaly(const History& h, Level level, const CheckOptions& how) {
  for (const TxnId t : h.transactions())
    if (h.outcome(t) == Outcome::Unknown) return false;  // without those who saw it, it need not count
  std::set<OpId> kept;
  for (const TxnId t : h.transactions()) {
    const auto ops = h.operations(t);
    bool writes = false;
    for (const OpId op : ops) writes |= is_item_write(h.kind(op));
    for (const OpId op : ops)
      if (writes || op == longest_list(h, t)) kept.insert(op);
  }
  const auto keeps_any = [&](TxnId t) {
    const auto first = kept.lower_bound(h.operations(t).first);
    return first != kept.end() && *first < h.operations(t).last;
  };
  return kept.size() < h.operation_count() &&
         holds(restrict(h, keeps_any, [&](OpId op) { return kept.contains(op); }), level, how);
}

Anomaly name_of(const History& part, const Proof& proof, const CheckOptions& how) {
  for (const LevelRow& weak : levels()) {
    if (!is_weak(weak.level) || !weak.session_order()) continue;
    const auto verdict = Checker(part, how).judge(weak.level);
    if (const auto* fell = verdict ? std::get_if<Violated>(&*verdict) : nullptr) return fell->anomaly.value();
  }
  if (has_lost_update(part)) return Anomaly::LostUpdate;
  const bool pc = holds(part, Level::Pc, how), psi = holds(part, Level::Psi, how);
  if (!psi) return has_stale_initial_read(proof) ? Anomaly::StaleInitialRead : Anomaly::ReadSkew;
  if (!pc && is_fork_of_two(proof)) return Anomaly::LongFork;
  if (!pc || !holds(part, Level::Si, how)) return Anomaly::GNonadjacent;
  return is_read_only_anomaly(part, Level::Ser, how) ? Anomaly::ReadOnly : Anomaly::WriteSkew;
}

// No level without clocks is broken, so the name is that of the shape: by the reads of versions that were
// overwritten.
Anomaly name_in_real_time(const History& part, Level level, const Proof& proof, const CheckOptions& how) {
  std::set<OpId> overwritten;
  bool initial = true;
  for (const ProofLine& line : proof) {
    if (line.kind != LineKind::Overwritten && line.kind != LineKind::Stale && line.kind != LineKind::Missed)
      continue;
    overwritten.insert(line.op);
    initial &= line.kind == LineKind::Stale || (line.kind == LineKind::Overwritten && line.lines.empty());
  }
  if (overwritten.empty()) return uses(proof, LineKind::Reads) ? Anomaly::G1c : Anomaly::G0;
  if (overwritten.size() == 1) return initial ? Anomaly::StaleInitialRead : Anomaly::ReadSkew;
  if (has_two_points(level)) return is_fork_of_two(proof) ? Anomaly::LongFork : Anomaly::GNonadjacent;
  return is_read_only_anomaly(part, level, how) ? Anomaly::ReadOnly : Anomaly::WriteSkew;
}

// A reader missed a version that would have changed what its statement found, or whether there was a row at
// all.
bool goes_through_predicate(const History& h, const Proof& proof) {
  return std::ranges::any_of(proof, [&](const ProofLine& line) {
    const bool anti =
        line.kind == LineKind::Overwritten || line.kind == LineKind::Stale || line.kind == LineKind::Missed;
    return anti && h.kind(line.op) == OpKind::ReadOneOf;
  });
}

struct Name {
  Anomaly anomaly;
  bool needs_session_order;      // what the proof speaks of, without its sessions, satisfies the level
  bool needs_real_time = false;  // what the proof speaks of satisfies the level but for real time
};

// Names for reads that came too early, or too late, say less than that it was a predicate that they went
// through.
Name with_predicates(const History& h, const Proof& proof, Name found) {
  using enum Anomaly;
  constexpr std::array less{NonMonotonicRead, FracturedRead, Causality, LongFork,        ReadSkew,
                            GNonadjacent,     WriteSkew,     ReadOnly,  StaleInitialRead};
  if (std::ranges::find(less, found.anomaly) != less.end() && goes_through_predicate(h, proof))
    found.anomaly = Phantom;
  return found;
}

Name name_of_proof(const Checker& judged, Level level, const Proof& proof) {
  const History& history = judged.history();
  const CheckOptions how{.skew = judged.skew(), .budget = &judged.budget()};
  History part = restrict(history, core(history, judged.facts(level), proof));
  const bool in_time = uses_real_time(proof) && holds(part, without_real_time(level), how);
  const bool may_need_sessions = uses_session_order(proof) || (row(level).needs_instants() && !in_time);
  if (!in_time) level = without_real_time(level);
  const bool needs_sessions = may_need_sessions && holds(without_sessions(part), level, how);
  if (!needs_sessions) part = without_sessions(part);
  Checker checker(part, how);
  const auto again = checker.judge(level);
  const auto* fell = again ? std::get_if<Violated>(&*again) : nullptr;
  if (fell == nullptr || fell->proof.back().kind == LineKind::WrongRead)
    return with_predicates(history, proof, {name_of(part, proof, how), needs_sessions});
  if (core(part, checker.facts(level), fell->proof).operations.size() < part.operation_count())
    return name_of_proof(checker, level, fell->proof);
  if (in_time)
    return with_predicates(part, fell->proof,
                           {name_in_real_time(part, level, fell->proof, how), needs_sessions, true});
  return with_predicates(part, fell->proof, {name_of(part, fell->proof, how), needs_sessions});
}

}  // namespace

// The core is judged by itself, since it may be proved by less: so a violation has the same name in every
// part that shows it. If it is one without clocks, its name does not mention clocks.
Violated named(const Checker& checker, Level level, Violated violated) {
  const ReadFacts& facts = checker.facts(level);
  if (!facts.wrong.empty()) return violated;        // the read says what is wrong with it
  if (!facts.conditional.empty()) return violated;  // its proof is not the one that is shown
  const auto name = name_of_proof(checker, level, violated.proof);
  if (checker.budget().is_spent()) return violated;
  violated.anomaly = name.anomaly;
  violated.needs_session_order = name.needs_session_order;
  violated.needs_real_time = name.needs_real_time;
  return violated;
}

Result<Verdict> judge_and_name(Checker& checker, Level level) {
  auto verdict = checker.judge(level);
  auto* violated = verdict ? std::get_if<Violated>(&*verdict) : nullptr;
  if (violated != nullptr) *violated = named(checker, level, std::move(*violated));
  return verdict;
}

Result<Verdict> judge_and_name(PredicateChecker& checker, Level level) {
  auto verdict = checker.judge(level);
  auto* violated = verdict ? std::get_if<Violated>(&*verdict) : nullptr;
  if (violated != nullptr) *violated = named(checker.subject()->checker, level, std::move(*violated));
  return verdict;
}

}  // namespace assay
