#include "check/refutation.h"

#include <algorithm>

#include "base/contract.h"

namespace assay {
namespace {

using Kind = EdgeCause::Kind;

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
        line_of_(steps_.size(), 0) {}

  std::optional<Proof> run(Budget& budget) {
    budget.begin_stage("writing the proof", steps_.size());
    const std::vector<bool> needed = needed_steps();
    for (ClauseId id = 0; id < steps_.size(); ++id) {
      if (!needed[id] || is_fact(id)) continue;
      budget.set_done(id);
      if (budget.is_spent()) return std::nullopt;
      if (steps_.kind(id) == Derivations::Kind::Axiom) axiom(id);
      else if (steps_.kind(id) == Derivations::Kind::Learned) learned(id);
      else if (search_.is_cycle(id)) cycle(id);
      else missed(id);
      if (concluded_ || choices_in(id) == 0) break;
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

  bool is_fact(Lit l) const { return search_.choice(l.var()).is_fact(); }
  std::size_t choices_in(ClauseId id) const {
    return std::ranges::count_if(steps_.literals(id), [&](Lit l) { return !is_fact(l); });
  }

  bool is_fact(ClauseId id) const {
    return steps_.kind(id) == Derivations::Kind::Axiom && search_.axiom(id).kind == Axiom::Kind::Fact;
  }

  Literal meaning(Lit l) const {
    const Choice& choice = search_.choice(l.var());
    const Literal positive = [&] {
      switch (choice.kind) {
        case Choice::Kind::From: return Literal::from(facts_.open[choice.read].op, choice.first);
        case Choice::Kind::Counts: return Literal::counts(choice.first);
        case Choice::Kind::Took: return Literal::took(facts_.conditional[choice.read].op);
        case Choice::Kind::Apart:
          return Literal::before({choice.first, true}, {choice.second, !points_.two()});
        case Choice::Kind::Before:
          return Literal::before({choice.first, !points_.two()}, {choice.second, true});
        default: return Literal::before({choice.first, true}, {choice.second, true});
      }
    }();
    return l.positive() ? positive : positive.contrary();
  }

  // Supposes the opposite of a clause, first whom reads are from, which says who counts too, then who counts,
  // and what took place. What is known need not be supposed. Facts that the lines inside need must have been
  // stated before.
  void suppose_not(ClauseId id) {
    const auto turn = [](const Literal& literal) {
      using enum Literal::Kind;
      return literal.kind == Before ? 2 : literal.kind == From || literal.kind == NotFrom ? 0 : 1;
    };
    supposed_.clear();
    concluded_ = true;
    for (const int now : {0, 1, 2})
      for (const Lit l : steps_.literals(id)) {
        if (is_fact(l) || turn(meaning(~l)) != now) continue;
        const auto known = proof_.established(meaning(~l));
        concluded_ &= known.has_value();
        supposed_.push_back({~l, known ? *known : proof_.suppose(meaning(~l))});
      }
  }

  LineId supposed(Lit l) const {
    const auto found = std::ranges::find(supposed_, l, &Supposed::literal);
    ASSAY_ASSERT(found != supposed_.end());
    return found->line;
  }

  bool is_known(const Step& step) const { return step.number < search_.theory().fact_count(); }
  bool is_late_fact(const Step& step) const {
    return !is_known(step) && is_fact(search_.theory().literal(step.number));
  }

  std::vector<Step> steps(std::span<const std::uint32_t> edges) const {
    std::vector<Step> path;
    for (const std::uint32_t number : edges)
      path.push_back({search_.theory().edge(number), search_.cause(number), number});
    return known_.join(std::move(path));
  }

  LineId line(const Step& step) {
    if (is_known(step)) return known_.line(step, proof_);
    if (is_late_fact(step)) return fact_line(proof_, points_, step);
    const Lit literal = search_.theory().literal(step.number);
    const LineId chosen = supposed(literal);
    if (step.cause.kind == Kind::RealTime) return fact_line(proof_, points_, step);
    if (step.cause.kind == Kind::Observed) return shown(step);
    if (search_.choice(literal.var()).kind != Choice::Kind::Order) return chosen;
    const TxnId from = points_.txn(step.edge.from), to = points_.txn(step.edge.to);
    if (step.cause.kind == Kind::WriteOrder) return chosen;
    if (step.cause.kind == Kind::Overwritten) return proof_.overwritten(step.cause.op, to, chosen);
    ASSAY_ASSERT(step.cause.kind == Kind::Exclusive);
    return proof_.exclusive(known_.common_write(from, to), to, chosen);
  }

  // By a list of a transaction that counts by supposition: so do those whose elements it shows.
  LineId shown(const Step& step) {
    const TxnId first = points_.txn(step.edge.from);
    if (!facts_.counts[first.index()] && !proof_.established(Literal::counts(first)))
      proof_.use(proof_.shows(step.cause.op, first));
    return fact_line(proof_, points_, step);
  }

  void state_facts(const std::vector<Step>& path) {
    for (const Step& step : path) {
      if (is_known(step)) known_.state(std::span(&step, 1), proof_);
      else if (is_late_fact(step)) line(step);
    }
  }

  std::vector<LineId> lines(const std::vector<Step>& path) {
    std::vector<LineId> result;
    for (const Step& step : path) result.push_back(line(step));
    return result;
  }

  void cycle(ClauseId id) {
    const auto path = steps(steps_.grounds(id));
    state_facts(path);
    suppose_not(id);
    line_of_[id] = proof_.refute(lines(path));
  }

  // psi: a path from the overwriting transaction to the read that missed it.
  void missed(ClauseId id) {
    const auto edges = steps_.grounds(id).first(steps_.grounds(id).size() - 1);
    const std::uint32_t read = steps_.grounds(id).back();
    const TxnId overwriting = points_.txn(search_.theory().edge(edges.front()).from);
    const auto path = steps(edges);
    state_facts(path);
    suppose_not(id);
    const LineId reached = proof_.path(lines(path));
    LineId from = 0;
    OpId op;
    TxnId writer;
    if (read < facts_.reads.size()) {
      op = facts_.reads[read].op;
      writer = facts_.reads[read].writer;
    } else {
      op = facts_.open[read - facts_.reads.size()].op;
      for (const Supposed& s : supposed_) {
        const Choice& choice = search_.choice(s.literal.var());
        if (choice.kind != Choice::Kind::From || choice.read != read - facts_.reads.size()) continue;
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
    for (const Supposed& s : supposed_)
      if (meaning(s.literal) == order) line_of_[id] = proof_.refute({before, s.line});
  }

  void axiom(ClauseId id) {
    using enum Axiom::Kind;
    const Axiom& axiom = search_.axiom(id);
    switch (axiom.kind) {
      case Fact: return;
      case Shows: line_of_[id] = proof_.shows(axiom.list, axiom.txn); return;
      case Candidates: line_of_[id] = proof_.candidates(facts_.open[axiom.read].op); return;
      case Implies: line_of_[id] = proof_.implies(facts_.open[axiom.read].op, axiom.txn); return;
      case Excluded: line_of_[id] = known_.exclude(facts_.open[axiom.read], axiom.candidate, proof_); return;
      case Matched:
      case Unmatched: line_of_[id] = decided(axiom.write, axiom.kind == Matched); return;
      case Decides: return decides(id, axiom);
      case Exclusive: return exclusive(id, axiom);
      case TooMany:
      case TooFew: return wrong_count(id, axiom);
      case Overwritten: return overwritten(id, facts_.open[axiom.read].op, axiom.txn);
      case KnownOverwritten: return overwritten(id, facts_.reads[axiom.read].op, axiom.txn);
    }
  }

  // The line of what is supposed by a choice of this kind; 0: nothing is.
  LineId supposed(Choice::Kind kind) const {
    for (const Supposed& s : supposed_)
      if (search_.choice(s.literal.var()).kind == kind) return s.line;
    return 0;
  }

  void overwritten(ClauseId id, OpId read, TxnId overwriting) {
    using enum Choice::Kind;
    suppose_not(id);
    line_of_[id] = proof_.refute(
        {proof_.overwritten(read, overwriting, supposed(Order), supposed(From)), supposed(Before)});
  }

  // The clause that a conditional write gives.
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

  // If it met this version and did the other, the clause of what it should have met then has nothing left.
  void decides(ClauseId id, const Axiom& axiom) {
    const ConditionalWrite& write = facts_.conditional[axiom.write];
    const bool took =
        facts_.takes_place(h_, write, facts_.candidates[facts_.open[write.read].first + axiom.candidate]);
    const LineId clause = decided(axiom.write, !took);
    suppose_not(id);
    line_of_[id] = proof_.use(clause).value();
  }

  void exclusive(ClauseId id, const Axiom& axiom) {
    suppose_not(id);
    LineId first_overlaps = 0, second_overlaps = 0;
    for (const Supposed& s : supposed_) {
      const Choice& choice = search_.choice(s.literal.var());
      if (choice.kind == Choice::Kind::Apart)
        (choice.first == axiom.txn ? first_overlaps : second_overlaps) = s.line;
    }
    const LineId after = proof_.exclusive(known_.write_of(axiom.from, axiom.key), axiom.txn, first_overlaps);
    line_of_[id] = proof_.refute({after, second_overlaps});
  }

  void wrong_count(ClauseId id, const Axiom& axiom) {
    suppose_not(id);
    std::vector<LineId> lines;
    for (const Supposed& s : supposed_) lines.push_back(s.line);
    line_of_[id] = proof_.wrong_count(facts_.conditional[axiom.write].op, axiom.kind == Axiom::Kind::TooMany,
                                      std::move(lines));
  }

  // If all its literals are false, the antecedents follow one after another until the last is false too.
  void learned(ClauseId id) {
    std::vector<ClauseId> grounds;
    for (const ClauseId ground : steps_.grounds(id))
      if (!is_fact(ground)) grounds.push_back(ground);
    if (grounds.size() == 1) {
      line_of_[id] = line_of_[grounds.front()];
      return;
    }
    suppose_not(id);
    for (const ClauseId ground : grounds)
      if (const auto closed = proof_.use(line_of_[ground])) {
        line_of_[id] = *closed;
        return;
      }
    ASSAY_ASSERT(false);
  }

  struct Supposed {
    Lit literal;
    LineId line;
  };

  const History& h_;
  const ReadFacts& facts_;
  const WriteOrder& search_;
  const Points& points_;
  DerivedFacts& known_;
  const Derivations& steps_;
  ProofBuilder proof_;
  std::vector<LineId> line_of_;  // of a clause
  std::vector<Supposed> supposed_;
  bool concluded_ = false;  // a clause was refuted without supposing anything
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

std::optional<Proof> refute_search(const History& history, const ReadFacts& facts, const WriteOrder& search,
                                   const Points& points, DerivedFacts& known, ProofBuilder proof,
                                   Budget& budget) {
  return Refuter(history, facts, search, points, known, std::move(proof)).run(budget);
}

}  // namespace assay
