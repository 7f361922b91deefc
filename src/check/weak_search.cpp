#include "check/weak_search.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "base/contract.h"
#include "check/writer_choices.h"
#include "saturation/weak_levels.h"

namespace assay {
namespace {

// Writes the proof of a contradiction: the steps of the solver, in which each lemma is a refutation of some
// choices.
class Contradiction {
 public:
  Contradiction(const WriterChoices& choices, const std::vector<Proof>& refutations, ProofBuilder proof)
      : choices_(choices), refutations_(refutations), proof_(std::move(proof)) {}

  Proof write() {
    const Derivations& steps = choices_.solver().derivations();
    line_of_.resize(steps.size());
    for (ClauseId id = 0; id <= choices_.solver().contradiction(); ++id) {
      switch (steps.kind(id)) {
        case Derivations::Kind::Axiom: line_of_[id] = choices_.state_axiom(id, proof_); break;
        case Derivations::Kind::Lemma:
          line_of_[id] = repeat(refutations_[steps.grounds(id).front()], steps.literals(id));
          break;
        case Derivations::Kind::Learned: line_of_[id] = resolve(steps, id); break;
      }
      if (steps.literals(id).empty()) break;
    }
    return proof_.take();
  }

 private:
  LineId resolve(const Derivations& steps, ClauseId id) {
    const auto grounds = steps.grounds(id);
    if (grounds.size() == 1) return line_of_[grounds.front()];
    for (const Lit l : steps.literals(id)) proof_.suppose(choices_.meaning(~l));
    for (const ClauseId ground : grounds)
      if (const auto closed = proof_.use(line_of_[ground])) return *closed;
    ASSAY_ASSERT(false);
    return 0;
  }

  // Repeats a proof about the chosen facts, with the choices as suppositions.
  LineId repeat(const Proof& old, std::span<const Lit> clause) {
    std::unordered_map<OpId, LineId> from;
    for (const bool counts : {false, true})  // writers first: they imply which transactions count
      for (const Lit l : clause) {
        const Literal literal = choices_.meaning(~l);
        if ((literal.kind == Rule::Counts) != counts) continue;
        const LineId line = proof_.suppose(literal);
        if (!counts) from[literal.op] = line;
      }
    const auto source = [&](OpId op) { return from.contains(op) ? from.at(op) : LineId{0}; };
    std::unordered_map<LineId, LineId> now;
    for (const ProofLine& line : old) {
      std::vector<LineId> lines;
      for (const LineId l : line.lines) lines.push_back(now.at(l));
      switch (line.kind) {
        case Rule::Session: now[line.id] = proof_.session(line.a, line.b); break;
        case Rule::Reads:
          now[line.id] = source(line.op) != 0 ? source(line.op) : proof_.reads(line.op);
          break;
        case Rule::Observed:
          if (choices_.may_count(line.a) && !proof_.established(Literal::counts(line.a)))
            proof_.use(proof_.shows(line.op, line.a));
          now[line.id] = proof_.observed(line.op, line.a, line.b);
          break;
        case Rule::Path: now[line.id] = proof_.path(std::move(lines)); break;
        case Rule::Missed:
          now[line.id] = proof_.missed(line.op, line.a, lines.front(), source(line.op));
          break;
        case Rule::Stale: return proof_.stale(line.op, line.a, lines.front(), source(line.op));
        case Rule::Refute: return proof_.refute(std::move(lines));
        default: ASSAY_ASSERT(false);
      }
    }
    return 0;
  }

  const WriterChoices& choices_;
  const std::vector<Proof>& refutations_;  // by lemma
  ProofBuilder proof_;
  std::vector<LineId> line_of_;  // by clause
};

class Search {
 public:
  Search(const History& history, const ReadFacts& facts, Level level,
         const std::function<ProofBuilder(const ReadFacts&)>& builder)
      : h_(history), level_(level), builder_(builder), choices_(history, facts) {}

  WeakSearch run(Budget& budget) {
    Solver& solver = choices_.solver();
    const Answer answer = solver.solve([&] { return judge(budget); }, [&] { return budget.is_spent(); });
    WeakSearch result{
        .choices = choices_.count(), .decisions = solver.decisions(), .conflicts = solver.conflicts()};
    if (answer == Answer::Satisfiable && !budget.is_spent()) result.verdict = std::move(found_);
    if (answer == Answer::Unsatisfiable)
      result.verdict =
          Violated{.anomaly = common_name(),
                   .proof = Contradiction(choices_, proofs_, builder_(choices_.facts())).write()};
    return result;
  }

 private:
  // Judges the current choices, and returns whether it learnt a conflict clause from them. It learns several
  // where it can, by leaving out one read of each refutation.
  bool judge(Budget& budget) {
    ReadFacts chosen = choices_.chosen_facts();
    const auto writer_of = [&](OpId op) {
      return std::ranges::lower_bound(chosen.reads, op, {}, &ReadFact::op)->writer;
    };
    for (std::size_t learnt = 0;; ++learnt) {
      Verdict verdict = judge_weak_level(h_, chosen, level_, builder_(chosen), budget);
      if (std::holds_alternative<Undecided>(verdict)) return learnt > 0;
      if (auto* holds = std::get_if<Holds>(&verdict)) {
        if (learnt > 0) return true;
        for (const OpenRead& read : choices_.facts().open)
          if (chosen.counts[read.reader.index()] && !h_.is_list(read.key))
            holds->from.push_back({read.op, writer_of(read.op)});
        found_ = std::move(*holds);
        return false;
      }
      std::vector<Lit> clause;
      OpId open;
      for (const ProofLine& line : std::get<Violated>(verdict).proof) {
        std::optional<Lit> refuted;
        if (line.kind == Rule::Observed) refuted = choices_.absent_reader(line.op);
        else if (choices_.is_open(line.op)) refuted = ~choices_.from(open = line.op, writer_of(line.op));
        if (refuted && std::ranges::find(clause, *refuted) == clause.end()) clause.push_back(*refuted);
      }
      const std::uint32_t reason = static_cast<std::uint32_t>(proofs_.size());
      names_.push_back(std::get<Violated>(verdict).anomaly.value());
      proofs_.push_back(std::move(std::get<Violated>(verdict).proof));
      choices_.solver().add_lemma(clause, std::span(&reason, 1));
      if (open.is_none() || choices_.solver().is_contradictory() || learnt + 1 == kMostLemmas) return true;
      remove(chosen, open);
    }
  }

  static void remove(ReadFacts& chosen, OpId read) {
    const auto place = std::ranges::lower_bound(chosen.reads, read, {}, &ReadFact::op);
    for (std::size_t t = place->reader.index() + 1; t < chosen.begin.size(); ++t) --chosen.begin[t];
    std::copy(place + 1, chosen.reads.end(), place);
    chosen.reads.truncate(chosen.reads.size() - 1);
  }

  // The anomaly that all refutations behind the contradiction have. If they differ, the name of the level's
  // condition, unless none of them needed it.
  Anomaly common_name() const {
    const Derivations& steps = choices_.solver().derivations();
    std::vector<bool> needed(steps.size());
    needed[choices_.solver().contradiction()] = true;
    std::set<Anomaly> names;
    for (ClauseId id = static_cast<ClauseId>(steps.size()); id-- > 0;) {
      if (!needed[id]) continue;
      if (steps.kind(id) == Derivations::Kind::Lemma) names.insert(names_[steps.grounds(id).front()]);
      if (steps.kind(id) != Derivations::Kind::Learned) continue;
      for (const ClauseId ground : steps.grounds(id)) needed[ground] = true;
    }
    if (names.size() == 1) return *names.begin();
    const bool without_views =
        std::ranges::all_of(names, [](Anomaly name) { return name == Anomaly::G0 || name == Anomaly::G1c; });
    return without_views ? Anomaly::G1c : name_of_condition(level_);
  }

  static constexpr std::size_t kMostLemmas = 16;  // from one assignment of writers

  const History& h_;
  Level level_;
  const std::function<ProofBuilder(const ReadFacts&)>& builder_;
  WriterChoices choices_;
  std::vector<Proof> proofs_;   // by lemma
  std::vector<Anomaly> names_;  // by lemma: the anomaly that its proof shows
  Holds found_;
};

}  // namespace

WeakSearch search_weak_level(const History& history, const ReadFacts& facts, Level level,
                             const std::function<ProofBuilder(const ReadFacts&)>& builder, Budget& budget) {
  return Search(history, facts, level, builder).run(budget);
}

}  // namespace assay
