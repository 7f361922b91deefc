#include "check/refutation.h"

#include <algorithm>

#include "base/contract.h"

namespace assay {
namespace {

using Kind = EdgeCause::Kind;

class Refuter {
 public:
  Refuter(const ReadFacts& facts, const WriteOrder& search, const Points& points, DerivedFacts& known, ProofBuilder proof)
      : facts_(facts), search_(search), points_(points), known_(known), steps_(search.solver().derivations()),
        proof_(std::move(proof)), line_of_(steps_.size(), 0) {}

  Proof run() {
    const std::vector<bool> needed = needed_steps();
    for (ClauseId id = 0; id < steps_.size(); ++id) {
      if (!needed[id] || steps_.kind(id) == Derivations::Kind::Axiom) continue;
      if (steps_.kind(id) == Derivations::Kind::Learned) learned(id);
      else if (search_.is_cycle(id)) cycle(id);
      else missed(id);
      if (choices_in(id) == 0) break;
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

  // c(first) < c(second) as the literal says.
  std::pair<TxnId, TxnId> meaning(Lit l) const {
    const auto [first, second] = search_.choice(l.var());
    return l.positive() ? std::pair(first, second) : std::pair(second, first);
  }

  // Supposes the opposite of a clause. Facts that the lines inside need must have been stated before.
  void suppose_not(ClauseId id) {
    supposed_.clear();
    for (const Lit l : steps_.literals(id)) {
      if (is_fact(l)) continue;
      const auto [a, b] = meaning(~l);
      supposed_.push_back({~l, proof_.suppose(a, b)});
    }
  }

  LineId supposed(Lit l) const {
    const auto found = std::ranges::find(supposed_, l, &Supposed::literal);
    ASSAY_ASSERT(found != supposed_.end());
    return found->line;
  }

  bool is_known(const Step& step) const { return step.number < search_.theory().fact_count(); }
  bool is_late_fact(const Step& step) const { return !is_known(step) && is_fact(search_.theory().literal(step.number)); }

  std::vector<Step> steps(std::span<const std::uint32_t> edges) const {
    std::vector<Step> path;
    for (const std::uint32_t number : edges) add_step(path, {search_.theory().edge(number), search_.cause(number), number});
    return path;
  }

  LineId line(const Step& step) {
    if (is_known(step)) return known_.line(step, proof_);
    if (is_late_fact(step)) return fact_line(proof_, points_, step);
    const LineId chosen = supposed(search_.theory().literal(step.number));
    const TxnId from = points_.txn(step.edge.from), to = points_.txn(step.edge.to);
    if (step.cause.kind == Kind::WriteOrder) return chosen;
    if (step.cause.kind == Kind::Overwritten) return proof_.overwritten(step.cause.op, to, chosen);
    ASSAY_ASSERT(step.cause.kind == Kind::Exclusive);
    return proof_.exclusive(known_.common_write(from, to), to, chosen);
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
    const ReadFact& read = facts_.reads[steps_.grounds(id).back()];
    const TxnId overwriting = points_.txn(search_.theory().edge(edges.front()).from);
    const auto path = steps(edges);
    state_facts(path);
    suppose_not(id);
    const LineId reached = proof_.path(lines(path));
    if (read.writer.is_none()) {
      line_of_[id] = proof_.stale(read.op, overwriting, reached);
      return;
    }
    const LineId before = proof_.missed(read.op, overwriting, reached);
    for (const Supposed& s : supposed_)
      if (meaning(s.literal) == std::pair(read.writer, overwriting)) line_of_[id] = proof_.refute({before, s.line});
  }

  // If all its literals are false, the antecedents follow one after another until the last is false too.
  void learned(ClauseId id) {
    std::vector<ClauseId> grounds;
    for (const ClauseId ground : steps_.grounds(id))
      if (steps_.kind(ground) != Derivations::Kind::Axiom) grounds.push_back(ground);
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

  const ReadFacts& facts_;
  const WriteOrder& search_;
  const Points& points_;
  DerivedFacts& known_;
  const Derivations& steps_;
  ProofBuilder proof_;
  std::vector<LineId> line_of_;  // of a clause
  std::vector<Supposed> supposed_;
};

}  // namespace

Proof refute_known(DerivedFacts& known, std::span<const std::uint32_t> cycle, ProofBuilder proof) {
  proof.refute(known.lines(cycle, proof));
  return proof.take();
}

Proof refute_stale(DerivedFacts& known, const ReadFact& read, TxnId overwriting, const Points& points, ProofBuilder proof) {
  const auto path = known.path(points.commit(overwriting), points.snapshot(read.reader));
  proof.stale(read.op, overwriting, proof.path(known.lines(path, proof)));
  return proof.take();
}

Proof refute_search(const ReadFacts& facts, const WriteOrder& search, const Points& points, DerivedFacts& known,
                    ProofBuilder proof) {
  return Refuter(facts, search, points, known, std::move(proof)).run();
}

}  // namespace assay
