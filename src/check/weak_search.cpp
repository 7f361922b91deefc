#include "check/weak_search.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "base/contract.h"
#include "dependency/ranks.h"
#include "saturation/weak_levels.h"
#include "solver/solver.h"
#include "verdict/operation_place.h"

namespace assay {
namespace {

// A theory that never finds a conflict, and only says which literals the search prefers. For a read it
// prefers the likeliest candidate writer that is not assigned yet. Once a read has a writer, its other
// variables need no value.
class Preference : public Theory {
 public:
  bool assign(Lit literal, TheoryConflict&) override {
    value_[literal.var()] = literal.positive() ? Value::True : Value::False;
    if (literal.positive() && read_[literal.var()] != kNone) ++chosen_[read_[literal.var()]];
    return true;
  }
  void unassign(Lit literal) override {
    value_[literal.var()] = Value::Open;
    if (literal.positive() && read_[literal.var()] != kNone) --chosen_[read_[literal.var()]];
  }
  Lit preferred(Var var) const override {
    if (read_[var] == kNone) return Lit(var, false);
    for (const Var candidate : by_likelihood_[read_[var]])
      if (value_[candidate] == Value::Open) return Lit(candidate, true);
    return Lit(var, true);
  }
  bool needs_value(Var var) const override { return read_[var] == kNone || chosen_[read_[var]] == 0; }

  void add_variable() {
    value_.push_back(Value::Open);
    read_.push_back(kNone);
  }
  void add_read(std::vector<Var> by_likelihood) {
    for (const Var candidate : by_likelihood) read_[candidate] = static_cast<std::uint32_t>(chosen_.size());
    by_likelihood_.push_back(std::move(by_likelihood));
    chosen_.push_back(0);
  }

 private:
  enum class Value : std::uint8_t { Open, True, False };
  static constexpr std::uint32_t kNone = UINT32_MAX;
  std::vector<Value> value_;                     // by variable
  std::vector<std::uint32_t> read_;              // by variable: the read of which it is a candidate
  std::vector<std::uint32_t> chosen_;            // by read: how many of its candidates are true
  std::vector<std::vector<Var>> by_likelihood_;  // by read
};

class Search {
 public:
  Search(const History& history, const ReadFacts& facts, Level level,
         const std::function<ProofBuilder(const ReadFacts&)>& builder)
      : h_(history), facts_(facts), level_(level), builder_(builder), solver_(preference_) {
    const std::vector<std::uint32_t> rank = ranks(history);
    for (const OpenRead& read : facts.open) add_read(read, rank);
    for (const PossibleOrder& shown : facts.possibly_observed) add_shown(shown);
  }

  WeakSearch run(Budget& budget) {
    const Answer answer = solver_.solve([&] { return judge(budget); }, [&] { return budget.is_spent(); });
    WeakSearch result{
        .choices = meaning_.size(), .decisions = solver_.decisions(), .conflicts = solver_.conflicts()};
    if (answer == Answer::Satisfiable && !budget.is_spent()) result.verdict = std::move(found_);
    if (answer == Answer::Unsatisfiable)
      result.verdict = Violated{.anomaly = common_name(), .proof = refutation()};
    return result;
  }

 private:
  Var add(Literal literal) {
    const Var var = solver_.new_variable();
    meaning_.push_back(literal);
    preference_.add_variable();
    return var;
  }

  Lit counting(TxnId t) {
    const auto [found, fresh] = counting_.try_emplace(t, 0);
    if (fresh) found->second = add(Literal::counts(t));
    return Lit(found->second, true);
  }

  void add_read(const OpenRead& read, std::span<const std::uint32_t> rank) {
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
  std::int64_t distance(const OpenRead& read, VersionId v, std::span<const std::uint32_t> rank) const {
    const std::int64_t now = rank[read.reader.index()];
    const std::int64_t then = facts_.is_initial(v) ? -1 : std::int64_t{rank[facts_.writer(v).index()]};
    const bool counts = facts_.is_initial(v) || facts_.counts[facts_.writer(v).index()];
    const auto all = static_cast<std::int64_t>(rank.size());
    return (then < now ? now - then : all + then - now) + (counts ? 0 : 2 * all);
  }

  // If the reader counts, so do the writers of the elements that it read.
  void add_shown(const PossibleOrder& shown) {
    const TxnId writer = facts_.writer(shown.order.after);
    if (!shown.order.adjacent || writer == shown.reader || facts_.counts[writer.index()]) return;
    const Lit absent = ~counting(shown.reader);
    const std::vector<Lit> shows{absent, counting(writer)};
    axioms_.emplace(solver_.add_clause(shows), Axiom{shown.order.read, writer, true});
  }

  // The facts that result from the choices.
  ReadFacts chosen_facts() const {
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
          chosen.reads.push_back(
              {read.reader, read.op, read.key, facts_.writer(candidates[c]), candidates[c]});
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

  // Judges the current choices, and returns whether it learnt a conflict clause from them. It learns several
  // where it can, by leaving out one read of each refutation.
  bool judge(Budget& budget) {
    ReadFacts chosen = chosen_facts();
    const auto writer_of = [&](OpId op) {
      return std::ranges::lower_bound(chosen.reads, op, {}, &ReadFact::op)->writer;
    };
    for (std::size_t learnt = 0;; ++learnt) {
      Verdict verdict = judge_weak_level(h_, chosen, level_, builder_(chosen), budget);
      if (std::holds_alternative<Undecided>(verdict)) return learnt > 0;
      if (auto* holds = std::get_if<Holds>(&verdict)) {
        if (learnt > 0) return true;
        for (const OpenRead& read : facts_.open)
          if (chosen.counts[read.reader.index()] && !h_.is_list(read.key))
            holds->from.push_back({read.op, writer_of(read.op)});
        found_ = std::move(*holds);
        return false;
      }
      std::vector<Lit> clause;
      OpId open;
      for (const ProofLine& line : std::get<Violated>(verdict).proof) {
        std::optional<Lit> refuted;
        if (line.kind == Rule::Observed) refuted = absent_reader(line.op);
        else if (is_open(line.op)) refuted = ~literal_of(Literal::from(open = line.op, writer_of(line.op)));
        if (refuted && std::ranges::find(clause, *refuted) == clause.end()) clause.push_back(*refuted);
      }
      const std::uint32_t reason = static_cast<std::uint32_t>(proofs_.size());
      names_.push_back(std::get<Violated>(verdict).anomaly.value());
      proofs_.push_back(std::move(std::get<Violated>(verdict).proof));
      solver_.add_lemma(clause, std::span(&reason, 1));
      if (open.is_none() || solver_.is_contradictory() || learnt + 1 == kMostLemmas) return true;
      remove(chosen, open);
    }
  }

  static void remove(ReadFacts& chosen, OpId read) {
    const auto place = std::ranges::lower_bound(chosen.reads, read, {}, &ReadFact::op);
    for (std::size_t t = place->reader.index() + 1; t < chosen.begin.size(); ++t) --chosen.begin[t];
    std::copy(place + 1, chosen.reads.end(), place);
    chosen.reads.truncate(chosen.reads.size() - 1);
  }

  // The literal that the reader of this list does not count, if it only may count.
  std::optional<Lit> absent_reader(OpId list) const {
    const auto found = counting_.find(transaction_of(h_, list));
    return found == counting_.end() ? std::nullopt : std::optional(~Lit(found->second, true));
  }

  bool is_open(OpId op) const {
    if (op.is_none()) return false;
    const auto found = std::ranges::lower_bound(facts_.open, op, {}, &OpenRead::op);
    return found != facts_.open.end() && found->op == op;
  }

  Lit literal_of(const Literal& literal) const {
    const std::size_t i = static_cast<std::size_t>(
        std::ranges::lower_bound(facts_.open, literal.op, {}, &OpenRead::op) - facts_.open.begin());
    const auto candidates = facts_.candidates_of(facts_.open[i]);
    const auto found =
        std::ranges::find(candidates, literal.txn, [&](VersionId v) { return facts_.writer(v); });
    return Lit(first_[i] + static_cast<Var>(found - candidates.begin()), true);
  }

  Literal meaning(Lit l) const { return l.positive() ? meaning_[l.var()] : meaning_[l.var()].contrary(); }

  // The anomaly that all refutations behind the contradiction have, or else the name of the level's
  // condition.
  Anomaly common_name() const {
    const Derivations& steps = solver_.derivations();
    std::vector<bool> needed(steps.size());
    needed[solver_.contradiction()] = true;
    std::set<Anomaly> names;
    for (ClauseId id = static_cast<ClauseId>(steps.size()); id-- > 0;) {
      if (!needed[id]) continue;
      if (steps.kind(id) == Derivations::Kind::Lemma) names.insert(names_[steps.grounds(id).front()]);
      if (steps.kind(id) != Derivations::Kind::Learned) continue;
      for (const ClauseId ground : steps.grounds(id)) needed[ground] = true;
    }
    return names.size() == 1 ? *names.begin() : name_of_condition(level_);
  }

  Proof refutation() {
    const Derivations& steps = solver_.derivations();
    std::vector<LineId> line_of(steps.size());
    ProofBuilder proof = builder_(facts_);
    for (ClauseId id = 0; id <= solver_.contradiction(); ++id) {
      switch (steps.kind(id)) {
        case Derivations::Kind::Axiom: {
          const Axiom& axiom = axioms_.at(id);
          line_of[id] = axiom.writer.is_none() ? proof.candidates(axiom.read)
                        : axiom.shows          ? proof.shows(axiom.read, axiom.writer)
                                               : proof.implies(axiom.read, axiom.writer);
          break;
        }
        case Derivations::Kind::Lemma:
          line_of[id] = repeat(proofs_[steps.grounds(id).front()], steps.literals(id), proof);
          break;
        case Derivations::Kind::Learned: line_of[id] = resolve(steps, id, line_of, proof); break;
      }
      if (steps.literals(id).empty()) break;
    }
    return proof.take();
  }

  LineId resolve(const Derivations& steps, ClauseId id, const std::vector<LineId>& line_of,
                 ProofBuilder& proof) const {
    const auto grounds = steps.grounds(id);
    if (grounds.size() == 1) return line_of[grounds.front()];
    for (const Lit l : steps.literals(id)) proof.suppose(meaning(~l));
    for (const ClauseId ground : grounds)
      if (const auto closed = proof.use(line_of[ground])) return *closed;
    ASSAY_ASSERT(false);
    return 0;
  }

  // Repeats a proof about the chosen facts, with the choices as suppositions.
  LineId repeat(const Proof& old, std::span<const Lit> clause, ProofBuilder& proof) const {
    std::unordered_map<OpId, LineId> from;
    for (const bool counts : {false, true})  // writers first: they imply which transactions count
      for (const Lit l : clause) {
        const Literal literal = meaning(~l);
        if ((literal.kind == Rule::Counts) != counts) continue;
        const LineId line = proof.suppose(literal);
        if (!counts) from[literal.op] = line;
      }
    const auto source = [&](OpId op) { return from.contains(op) ? from.at(op) : LineId{0}; };
    std::unordered_map<LineId, LineId> now;
    for (const ProofLine& line : old) {
      std::vector<LineId> lines;
      for (const LineId l : line.lines) lines.push_back(now.at(l));
      switch (line.kind) {
        case Rule::Session: now[line.id] = proof.session(line.a, line.b); break;
        case Rule::Reads: now[line.id] = source(line.op) != 0 ? source(line.op) : proof.reads(line.op); break;
        case Rule::Observed:
          if (counting_.contains(line.a) && !proof.established(Literal::counts(line.a)))
            proof.use(proof.shows(line.op, line.a));
          now[line.id] = proof.observed(line.op, line.a, line.b);
          break;
        case Rule::Path: now[line.id] = proof.path(std::move(lines)); break;
        case Rule::Missed:
          now[line.id] = proof.missed(line.op, line.a, lines.front(), source(line.op));
          break;
        case Rule::Stale: return proof.stale(line.op, line.a, lines.front(), source(line.op));
        case Rule::Refute: return proof.refute(std::move(lines));
        default: ASSAY_ASSERT(false);
      }
    }
    return 0;
  }

  struct Axiom {
    OpId read;
    TxnId writer;  // none: the read is from one of its candidates; otherwise: if from this one, it counts
    bool shows = false;  // if the reader counts, so does the writer
  };

  const History& h_;
  const ReadFacts& facts_;
  Level level_;
  const std::function<ProofBuilder(const ReadFacts&)>& builder_;
  Preference preference_;
  Solver solver_;
  std::vector<Literal> meaning_;  // by variable: of its positive literal
  std::vector<Var> first_;        // by open read: the variable of its first candidate
  std::unordered_map<TxnId, Var> counting_;
  std::unordered_map<ClauseId, Axiom> axioms_;
  static constexpr std::size_t kMostLemmas = 16;  // from one assignment of writers
  std::vector<Proof> proofs_;                     // by lemma
  std::vector<Anomaly> names_;                    // by lemma: the anomaly that its proof shows
  Holds found_;
};

}  // namespace

WeakSearch search_weak_level(const History& history, const ReadFacts& facts, Level level,
                             const std::function<ProofBuilder(const ReadFacts&)>& builder, Budget& budget) {
  return Search(history, facts, level, builder).run(budget);
}

}  // namespace assay
