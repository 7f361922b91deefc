#include "check/refutation.h"

#include <algorithm>

#include "base/contract.h"
#include "check/edge_lines.h"

namespace assay {
namespace {

// Translates the derivation of the empty clause, clause by clause.
class Refuter {
 public:
  Refuter(const History& history, const ReadFacts& facts, const WriteOrder& search, const Points& points,
          DerivedFacts& known, ProofBuilder proof)
      : h_(history),
        facts_(facts),
        search_(search),
        points_(points),
        known_(known),
        steps_(search.solver().derivations()),
        proof_(std::move(proof)),
        supposed_(facts, search, points, proof_),
        edges_(facts, search, points, known, supposed_, proof_),
        line_of_(steps_.size(), 0) {}

  std::optional<Proof> run(Budget& budget) {
    budget.begin_stage("writing the proof", steps_.size());
    const std::vector<bool> needed = needed_steps();
    for (ClauseId id = 0; id < steps_.size(); ++id) {
      if (!needed[id] || supposed_.is_fact(id)) continue;
      budget.set_done(id);
      if (budget.is_spent()) return std::nullopt;
      if (steps_.kind(id) == Derivations::Kind::Axiom) axiom(id);
      else if (steps_.kind(id) == Derivations::Kind::Learned) learned(id);
      else if (search_.is_cycle(id)) cycle(id);
      else missed(id);
      if (supposed_.is_concluded() || supposed_.choices_in(id) == 0) break;
    }
    return proof_.take();
  }

 private:
  std::vector<bool> needed_steps() const {
    std::vector<bool> needed(steps_.size());
    needed[search_.solver().contradiction()] = true;
    for (ClauseId id = static_cast<ClauseId>(steps_.size()); id-- > 0;)
      if (needed[id] && steps_.kind(id) == Derivations::Kind::Learned)
        for (const ClauseId ground : steps_.grounds(id)) needed[ground] = true;
    return needed;
  }

  void cycle(ClauseId id) {
    const auto path = edges_.steps(steps_.grounds(id));
    edges_.state_facts(path);
    supposed_.suppose_not(id);
    line_of_[id] = proof_.refute(edges_.lines(path));
  }

  // psi: a path from the overwriting transaction to the read, which missed its version.
  void missed(ClauseId id) {
    const auto edges = steps_.grounds(id).first(steps_.grounds(id).size() - 1);
    const std::uint32_t read = steps_.grounds(id).back();
    const TxnId overwriting = points_.txn(search_.theory().edge(edges.front()).from);
    const auto path = edges_.steps(edges);
    edges_.state_facts(path);
    supposed_.suppose_not(id);
    const LineId reached = proof_.path(edges_.lines(path));
    LineId from = 0;
    OpId op;
    TxnId writer;
    if (read < facts_.reads.size()) {
      op = facts_.reads[read].op;
      writer = facts_.reads[read].writer;
    } else {
      op = facts_.open[read - facts_.reads.size()].op;
      for (const SupposedLiterals::Supposed& s : supposed_.all()) {
        const Choice& choice = search_.choice(s.literal.var());
        if (choice.rule != Rule::From || choice.read != read - facts_.reads.size()) continue;
        writer = choice.first;
        from = s.line;
      }
    }
    if (writer.is_none()) {
      line_of_[id] = proof_.stale(op, overwriting, reached, from);
      return;
    }
    const LineId before = proof_.missed(op, overwriting, reached, from);
    const Literal order = Literal::before({writer, true}, {overwriting, true});
    for (const SupposedLiterals::Supposed& s : supposed_.all())
      if (supposed_.meaning(s.literal) == order) line_of_[id] = proof_.refute({before, s.line});
  }

  void axiom(ClauseId id) {
    const Axiom& axiom = search_.axiom(id);
    switch (axiom.rule) {
      case Rule::Shows: line_of_[id] = proof_.shows(axiom.op, axiom.txn); return;
      case Rule::Candidates: line_of_[id] = proof_.candidates(axiom.op); return;
      case Rule::Implies: line_of_[id] = proof_.implies(axiom.op, axiom.txn); return;
      case Rule::NotFrom:
        line_of_[id] = known_.exclude(open_read(axiom.op), *axiom.candidate, proof_);
        return;
      case Rule::Matched:
      case Rule::Unmatched:
        if (axiom.candidate) decides(id, axiom);
        else line_of_[id] = decided(axiom.write, axiom.rule == Rule::Matched);
        return;
      case Rule::Exclusive: return exclusive(id, axiom);
      case Rule::TooMany:
      case Rule::TooFew: return wrong_count(id, axiom);
      default: ASSAY_ASSERT(axiom.rule == Rule::Overwritten); return overwritten(id, axiom.op, axiom.txn);
    }
  }

  const OpenRead& open_read(OpId op) const {
    return *std::ranges::lower_bound(facts_.open, op, {}, &OpenRead::op);
  }

  void overwritten(ClauseId id, OpId read, TxnId overwriting) {
    supposed_.suppose_not(id);
    const LineId before =
        proof_.overwritten(read, overwriting, supposed_.line(Rule::Suppose), supposed_.line(Rule::From));
    line_of_[id] = proof_.refute({before, supposed_.line(Rule::Overwritten)});
  }

  // The clause of a conditional write: if it took place (`took`), its read is from a matching version; if
  // not, from one that does not match.
  LineId decided(std::uint32_t place, bool took) {
    const ConditionalWrite& write = facts_.conditional[place];
    const OpenRead& read = facts_.open[write.read];
    std::vector<Literal> sources;
    for (std::uint32_t c = 0; c < read.last - read.first; ++c)
      if (facts_.takes_place(h_, write, facts_.candidates[read.first + c]) == took)
        sources.push_back(Literal::from(read.op, facts_.writer(facts_.candidates[read.first + c])));
    return took ? proof_.matched(write.op, std::move(sources))
                : proof_.unmatched(write.op, std::move(sources));
  }

  // A version decides the outcome of the write that reads it. With the other outcome supposed, the clause
  // about the versions allowed then is falsified.
  void decides(ClauseId id, const Axiom& axiom) {
    const LineId clause = decided(axiom.write, axiom.rule == Rule::Matched);
    supposed_.suppose_not(id);
    line_of_[id] = proof_.use(clause).value();
  }

  void exclusive(ClauseId id, const Axiom& axiom) {
    supposed_.suppose_not(id);
    LineId first_overlaps = 0, second_overlaps = 0;
    for (const SupposedLiterals::Supposed& s : supposed_.all()) {
      const Choice& choice = search_.choice(s.literal.var());
      if (choice.rule == Rule::Exclusive)
        (choice.first == axiom.txn ? first_overlaps : second_overlaps) = s.line;
    }
    const LineId after = proof_.exclusive(known_.write_of(axiom.from, axiom.key), axiom.txn, first_overlaps);
    line_of_[id] = proof_.refute({after, second_overlaps});
  }

  void wrong_count(ClauseId id, const Axiom& axiom) {
    supposed_.suppose_not(id);
    std::vector<LineId> lines;
    for (const SupposedLiterals::Supposed& s : supposed_.all()) lines.push_back(s.line);
    line_of_[id] =
        proof_.wrong_count(facts_.conditional[axiom.write].op, axiom.rule == Rule::TooMany, std::move(lines));
  }

  // Reverse unit propagation: when all its literals are false, each antecedent implies a literal, and the
  // last one is falsified.
  void learned(ClauseId id) {
    std::vector<ClauseId> grounds;
    for (const ClauseId ground : steps_.grounds(id))
      if (!supposed_.is_fact(ground)) grounds.push_back(ground);
    if (grounds.size() == 1) {
      line_of_[id] = line_of_[grounds.front()];
      return;
    }
    supposed_.suppose_not(id);
    for (const ClauseId ground : grounds)
      if (const auto closed = proof_.use(line_of_[ground])) {
        line_of_[id] = *closed;
        return;
      }
    ASSAY_ASSERT(false);
  }

  const History& h_;
  const ReadFacts& facts_;
  const WriteOrder& search_;
  const Points& points_;
  DerivedFacts& known_;
  const Derivations& steps_;
  ProofBuilder proof_;
  SupposedLiterals supposed_;
  EdgeLines edges_;
  std::vector<LineId> line_of_;  // by clause: the line that establishes it
};

}  // namespace

Proof refute_known(DerivedFacts& known, std::span<const std::uint32_t> cycle, ProofBuilder proof) {
  proof.refute(known.lines(cycle, proof));
  return proof.take();
}

Proof refute_stale(DerivedFacts& known, const ReadFact& read, TxnId overwriting, const Points& points,
                   ProofBuilder proof) {
  const auto path = known.path(points.commit(overwriting), points.snapshot(read.reader));
  proof.stale(read.op, overwriting, proof.path(known.lines(path, proof)));
  return proof.take();
}

Proof refute_writers(DerivedFacts& known, const OpenRead& read, ProofBuilder proof) {
  for (std::uint32_t candidate = read.first; candidate < read.last; ++candidate)
    known.exclude(read, candidate, proof);
  proof.use(proof.candidates(read.op));
  return proof.take();
}

Proof refute_crowded(DerivedFacts& known, const OpenReads& open, std::span<const OpId> reads,
                     const std::function<bool(std::uint32_t)>& is_excluded, ProofBuilder proof) {
  std::vector<LineId> clauses;
  for (const OpId op : reads) {
    const auto read = std::ranges::lower_bound(open.open, op, {}, &OpenRead::op);
    if (read != open.open.end() && read->op == op)
      for (std::uint32_t candidate = read->first; candidate < read->last; ++candidate)
        if (is_excluded(candidate)) known.exclude(*read, candidate, proof);
    clauses.push_back(proof.candidates(op));
  }
  proof.crowded(std::move(clauses));
  return proof.take();
}

std::optional<Proof> refute_search(const History& history, const ReadFacts& facts, const WriteOrder& search,
                                   const Points& points, DerivedFacts& known, ProofBuilder proof,
                                   Budget& budget) {
  return Refuter(history, facts, search, points, known, std::move(proof)).run(budget);
}

}  // namespace assay
