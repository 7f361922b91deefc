#include "explain/name.h"

#include <algorithm>
#include <array>
#include <set>

#include "dependency/crowded_reads.h"
#include "explain/core.h"
#include "explain/proof_cases.h"
#include "explain/words.h"
#include "verdict/operation_place.h"

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

// The one that shows the most of a list; none if there is no list read.
OpId longest_list(const History& h, TxnId t) {
  OpId longest;
  for (const OpId op : h.operations(t))
    if (h.kind(op) == OpKind::ListRead && (longest.is_none() || h.rows(op).size() > h.rows(longest).size()))
      longest = op;
  return longest;
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

// --- Session guarantees ---

// The steps of a line that says why one transaction is in another's view: reads and session order, of which
// several in a row count once.
void add_steps(const Proof& proof, LineId id, std::vector<Rule>& steps) {
  const auto line = std::ranges::lower_bound(proof, id, {}, &ProofLine::id);
  if (line->kind == LineKind::Path) {
    for (const LineId part : line->lines) add_steps(proof, part, steps);
  } else if (line->kind != LineKind::Session) {
    steps.push_back(LineKind::Reads);  // also one that a case supposes
  } else if (steps.empty() || steps.back() != LineKind::Session) {
    steps.push_back(LineKind::Session);
  }
}

// Whether the transaction overwrote the version that the read returned: it read the same one, and wrote the
// key.
bool overwrote(const ReadFacts& facts, TxnId t, const ReadFact& read) {
  return facts.writes_key(t, read.key) && std::ranges::any_of(facts.of(t), [&](const ReadFact& own) {
           return own.key == read.key && own.version == read.version;
         });
}

// Whether a transaction read a version that an earlier transaction of its session had read and overwritten.
// Then that alone breaks the guarantee, whatever else the proof speaks of.
bool missed_own_update(const History& h) {
  const auto facts = read_facts(h, true);
  if (!facts) return false;
  return std::ranges::any_of(facts->reads, [&](const ReadFact& read) {
    const auto is_update_before = [&](TxnId t) {
      return h.position(t) < h.position(read.reader) && h.outcome(t) == Outcome::Committed &&
             overwrote(*facts, t, read);
    };
    return std::ranges::any_of(h.transactions(h.session(read.reader)), is_update_before);
  });
}

// The guarantee by which alone every missed version of the proof had to be seen (Terry et al. 1994).
std::optional<Anomaly> broken_guarantee(const History& h, const Proof& proof) {
  constexpr Rule kReads = LineKind::Reads, kSession = LineKind::Session;
  const auto guarantee = [](const std::vector<Rule>& steps) -> std::optional<Anomaly> {
    if (steps == std::vector{kSession}) return Anomaly::ReadYourWrites;
    if (steps == std::vector{kReads, kSession}) return Anomaly::MonotonicReads;
    if (steps == std::vector{kSession, kReads}) return Anomaly::MonotonicWrites;
    if (steps == std::vector{kReads, kReads} || steps == std::vector{kReads, kSession, kReads})
      return Anomaly::WritesFollowReads;
    return std::nullopt;
  };
  if (missed_own_update(h)) return Anomaly::ReadYourWrites;
  std::optional<Anomaly> common;
  for (const ProofLine& line : proof) {
    if (line.kind != LineKind::Missed && line.kind != LineKind::Stale) continue;
    std::vector<Rule> steps;
    add_steps(proof, line.lines.front(), steps);
    const TxnId reader = transaction_of(h, line.op);
    const bool in_session = h.session(line.a) == h.session(reader) &&
                            h.position(line.a) < h.position(reader) &&
                            h.outcome(line.a) == Outcome::Committed;
    const auto found = in_session ? Anomaly::ReadYourWrites : guarantee(steps);
    if (!found || (common && *common != *found)) return std::nullopt;
    common = found;
  }
  return common;
}

// --- Cycles ---

// The proof shows two updates of one version by counting, not by a cycle. Which versions there are may rest
// on the order of others; then it need not be a lost update whatever that order is.
bool counts_updates(const Proof& proof) { return proof.back().kind == LineKind::Crowded; }

struct CycleShape {
  std::array<std::size_t, 5> count{};  // of dependencies, by kind
  bool adjacent = false;               // one anti-dependency follows another
  bool initial = true;  // what anti-dependencies missed is always preceded by the initial version

  std::size_t of(Dependency::Kind kind) const { return count[static_cast<std::size_t>(kind)]; }
};

CycleShape shape_of(std::span<const Dependency> cycle) {
  using enum Dependency::Kind;
  CycleShape shape;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const Dependency& d = cycle[i];
    ++shape.count[static_cast<std::size_t>(d.kind)];
    if (d.kind != Rw) continue;
    shape.adjacent |= cycle[(i + 1) % cycle.size()].kind == Rw;
    shape.initial &= d.operations.size() == 2;
  }
  return shape;
}

void add_shapes(const Steps& edges, const Cases& cases, std::vector<CycleShape>& shapes) {
  for (const Cases::Case& one : cases.cases) {
    if (one.cases) {
      add_shapes(edges, *one.cases, shapes);
      continue;
    }
    Steps cycle;
    for (const std::size_t edge : one.cycle) cycle.push_back(edges[edge]);
    shapes.push_back(shape_of(cycle));
  }
}

// The cycles that the story of the proof ends in: one for each case.
std::vector<CycleShape> shapes_of(const History& h, Level level, const Proof& proof,
                                  const CheckOptions& how) {
  std::vector<OpId> same;
  for (const OpId op : h.operations()) same.push_back(op);
  const std::vector<std::string> values = values_of(h, h, same);
  const Story story = tell_proof(h, Words(h, values, how.skew), level, proof);
  std::vector<CycleShape> shapes;
  if (story.cases) add_shapes(story.edges, *story.cases, shapes);
  else shapes.push_back(shape_of(story.edges));
  return shapes;
}

// Two anti-dependencies with reads (and sessions) between them: two readers, each missing what the other saw.
bool is_fork_of_two(const CycleShape& shape) {
  using enum Dependency::Kind;
  return shape.of(Rw) == 2 && !shape.adjacent && shape.of(Ww) == 0 && shape.of(Rt) == 0;
}

// What is named: a part of a history, and the history that the proof of its violation speaks of, which is the
// part itself unless the part could not be judged again.
struct Witness {
  const History& part;
  const History& told;
  Level level;
  const Proof& proof;
  bool needs_sessions;
};

// A necessary condition for it that costs nothing: telling a long proof takes time.
bool may_be_fork_of_two(const Proof& proof) {
  if (counts_updates(proof)) return false;
  std::set<OpId> missing;
  for (const ProofLine& line : proof) {
    if (line.kind == LineKind::Observed) return false;
    if (line.kind == LineKind::Overwritten || line.kind == LineKind::Stale) missing.insert(line.op);
  }
  return missing.size() == 2;
}

bool is_fork_of_two(const Witness& w, const CheckOptions& how) {
  return may_be_fork_of_two(w.proof) &&
         std::ranges::all_of(shapes_of(w.told, w.level, w.proof, how),
                             [](const CycleShape& shape) { return is_fork_of_two(shape); });
}

// --- Names ---

Anomaly name_of(const Witness& w, const CheckOptions& how) {
  for (const LevelRow& weak : levels()) {
    if (!is_weak(weak.level) || !weak.session_order()) continue;
    const auto verdict = Checker(w.part, how).judge(weak.level);
    const auto* fell = verdict ? std::get_if<Violated>(&*verdict) : nullptr;
    if (fell == nullptr) continue;
    if (w.needs_sessions && reads_repeat(weak.level) && fell->anomaly != Anomaly::G0 &&
        fell->anomaly != Anomaly::G1c)
      if (const auto guarantee = broken_guarantee(w.part, fell->proof)) return *guarantee;
    return fell->anomaly.value();
  }
  if (has_lost_update(w.part)) return Anomaly::LostUpdate;
  const bool pc = holds(w.part, Level::Pc, how), psi = holds(w.part, Level::Psi, how);
  if (!psi) return Anomaly::GSingle;
  if (!pc && is_fork_of_two(w, how)) return Anomaly::LongFork;
  if (!pc || !holds(w.part, Level::Si, how)) return Anomaly::GNonadjacent;
  return is_read_only_anomaly(w.part, Level::Ser, how) ? Anomaly::ReadOnly : Anomaly::WriteSkew;
}

Anomaly name_of_shape(const CycleShape& shape) {
  using enum Dependency::Kind;
  if (shape.of(Rw) + shape.of(Wr) + shape.of(Ww) == 0) return Anomaly::ClockContradiction;
  if (shape.of(Rw) == 0) return shape.of(Wr) > 0 ? Anomaly::G1c : Anomaly::G0;
  if (shape.of(Rw) == 1)
    return shape.initial && shape.of(Ww) == 0 ? Anomaly::StaleInitialRead : Anomaly::GSingle;
  return shape.adjacent ? Anomaly::WriteSkew : Anomaly::GNonadjacent;
}

// No level without clocks is violated, so the name is that of the cycle's shape. If the cases have cycles of
// several shapes, it is the shape that claims the least.
Anomaly name_in_real_time(const History& part, Level level, const Proof& proof, const CheckOptions& how) {
  constexpr std::array by_claim{Anomaly::ClockContradiction, Anomaly::G0,      Anomaly::G1c,
                                Anomaly::StaleInitialRead,   Anomaly::GSingle, Anomaly::GNonadjacent,
                                Anomaly::WriteSkew};
  if (counts_updates(proof)) return Anomaly::GSingle;
  auto least = by_claim.begin();
  for (const CycleShape& shape : shapes_of(part, level, proof, how))
    least = std::max(least, std::ranges::find(by_claim, name_of_shape(shape)));
  if (*least == Anomaly::WriteSkew && is_read_only_anomaly(part, level, how)) return Anomaly::ReadOnly;
  return *least;
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
  constexpr std::array less{NonMonotonicRead,  ReadSkew,  ReadYourWrites,  MonotonicReads, MonotonicWrites,
                            WritesFollowReads, Causality, LongFork,        GSingle,        GNonadjacent,
                            WriteSkew,         ReadOnly,  StaleInitialRead};
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
    return with_predicates(history, proof,
                           {name_of({part, history, level, proof, needs_sessions}, how), needs_sessions});
  if (core(part, checker.facts(level), fell->proof).operations.size() < part.operation_count())
    return name_of_proof(checker, level, fell->proof);
  if (in_time)
    return with_predicates(part, fell->proof,
                           {name_in_real_time(part, level, fell->proof, how), needs_sessions, true});
  return with_predicates(part, fell->proof,
                         {name_of({part, part, level, fell->proof, needs_sessions}, how), needs_sessions});
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
