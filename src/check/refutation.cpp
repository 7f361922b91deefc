#include "check/refutation.h"

#include <algorithm>

#include "base/contract.h"

namespace assay {
namespace {

using Kind = EdgeCause::Kind;

// A transaction's own points have no line: the builder joins them.
void drop_joins(std::vector<LineId>& lines) { std::erase(lines, LineId{0}); }

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

  bool is_known(std::uint32_t edge) const { return edge < search_.theory().fact_count(); }

  LineId line(std::uint32_t number) {
    if (is_known(number)) return known_.line(number, proof_);
    const Edge edge = search_.theory().edge(number);
    const EdgeCause cause = search_.cause(number);
    if (is_fact(search_.theory().literal(number))) return proof_.overwritten_initial(cause.op, points_.txn(edge.to));
    const LineId chosen = supposed(search_.theory().literal(number));
    if (cause.kind == Kind::WriteOrder) return chosen;
    if (cause.kind == Kind::Overwritten) return proof_.overwritten(cause.op, points_.txn(edge.to), chosen);
    ASSAY_ASSERT(cause.kind == Kind::Exclusive);
    const TxnId first = points_.txn(edge.from), second = points_.txn(edge.to);
    return proof_.exclusive(known_.common_write(first, second), second, chosen);
  }

  void state_facts(std::span<const std::uint32_t> edges) {
    std::vector<std::uint32_t> known;
    for (const std::uint32_t number : edges)
      if (is_known(number)) known.push_back(number);
      else if (is_fact(search_.theory().literal(number))) line(number);
    known_.state(known, proof_);
  }

  std::vector<LineId> lines(std::span<const std::uint32_t> edges) {
    std::vector<LineId> result;
    for (const std::uint32_t number : edges) result.push_back(line(number));
    drop_joins(result);
    return result;
  }

  void cycle(ClauseId id) {
    state_facts(steps_.grounds(id));
    suppose_not(id);
    line_of_[id] = proof_.refute(lines(steps_.grounds(id)));
  }

  // psi: a path from the overwriting transaction to the read that missed it.
  void missed(ClauseId id) {
    const auto edges = steps_.grounds(id).first(steps_.grounds(id).size() - 1);
    const ReadFact& read = facts_.reads[steps_.grounds(id).back()];
    const TxnId overwriting = points_.txn(search_.theory().edge(edges.front()).from);
    state_facts(edges);
    suppose_not(id);
    const LineId path = proof_.path(lines(edges));
    if (read.writer.is_none()) {
      line_of_[id] = proof_.stale(read.op, overwriting, path);
      return;
    }
    const LineId before = proof_.missed(read.op, overwriting, path);
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
    std::vector<Lit> known;
    for (const Supposed& s : supposed_) known.push_back(s.literal);
    for (const ClauseId ground : grounds) {
      std::vector<Lit> left;
      for (const Lit l : steps_.literals(ground))
        if (!is_fact(l) && std::ranges::find(known, ~l) == known.end()) left.push_back(l);
      if (left.empty()) {
        line_of_[id] = proof_.falsified(line_of_[ground]);
        return;
      }
      ASSAY_ASSERT(left.size() == 1);
      const auto [a, b] = meaning(left.front());
      proof_.unit(line_of_[ground], a, b);
      known.push_back(left.front());
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
  known.state(cycle, proof);
  std::vector<LineId> lines;
  for (const std::uint32_t edge : cycle) lines.push_back(known.line(edge, proof));
  drop_joins(lines);
  proof.refute(std::move(lines));
  return proof.take();
}

Proof refute_stale(DerivedFacts& known, const ReadFact& read, TxnId overwriting, const Points& points, ProofBuilder proof) {
  const auto path = known.path(points.commit(overwriting), points.snapshot(read.reader));
  known.state(path, proof);
  std::vector<LineId> lines;
  for (const std::uint32_t edge : path) lines.push_back(known.line(edge, proof));
  drop_joins(lines);
  proof.stale(read.op, overwriting, proof.path(std::move(lines)));
  return proof.take();
}

Proof refute_search(const ReadFacts& facts, const WriteOrder& search, const Points& points, DerivedFacts& known,
                    ProofBuilder proof) {
  return Refuter(facts, search, points, known, std::move(proof)).run();
}

}  // namespace assay
