#include "explain/proof_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/contract.h"

namespace assay {
namespace {

// A cycle, or cases that each end in a contradiction.
struct Contradiction {
  Steps cycle{};
  std::string question{};
  OpId read{};
  std::vector<Contradiction> cases{};
  std::set<Literal> rests_on{};  // the assumptions that it needs
  std::string supposed{};        // the assumption of this case, in words
};

class CaseSearch {
 public:
  CaseSearch(const History& history, const Words& words, Level level, const Proof& proof)
      : words_(words), outline_(history, level, proof), teller_(history, words, level, outline_) {}

  Contradiction run() { return refute({}); }

 private:
  // --- What is known ---

  bool is_true(const Knowledge& known, const Literal& literal) const {
    if (literal.kind == Literal::Kind::Counts && outline_.reads().counts(literal.txn)) return true;
    return known.contains(literal);
  }
  bool is_false(const Knowledge& known, const Literal& literal) const {
    return is_true(known, literal.contrary());
  }
  bool is_open(const Knowledge& known, const Literal& literal) const {
    return !is_true(known, literal) && !is_false(known, literal);
  }

  static void add_grounds(std::set<Literal>& grounds, const Knowledge& known, const Literal& literal) {
    if (const auto found = known.find(literal); found != known.end())
      grounds.insert(found->second->rests_on.begin(), found->second->rests_on.end());
  }
  static std::set<Literal> grounds(const Knowledge& known, const std::set<Literal>& premises) {
    std::set<Literal> result;
    for (const Literal& premise : premises) add_grounds(result, known, premise);
    return result;
  }

  // Adds a literal and its consequences: a read is from only one transaction, which committed before the
  // reader's commit; and both took effect.
  void learn(Knowledge& known, const Literal& literal, Known how) const {
    const auto shared = std::make_shared<const Known>(std::move(how));
    known.emplace(literal, shared);
    if (literal.kind != Literal::Kind::From) return;
    const auto untold = std::make_shared<const Known>(Known{{}, shared->rests_on});
    for (const TxnId writer : outline_.reads().possible_writers(literal.op))
      if (writer != literal.txn) known.emplace(Literal::not_from(literal.op, writer), untold);
    const TxnId reader = outline_.reads().transaction(literal.op);
    for (const TxnId t : {literal.txn, reader})
      if (!t.is_none()) known.emplace(Literal::counts(t), untold);
    if (literal.txn.is_none()) return;
    const Literal order = Literal::before({literal.txn, true}, {reader, true});
    if (!known.contains(order.contrary())) known.emplace(order, shared);
  }

  Knowledge supposing(Knowledge known, const Literal& literal) const {
    Known how{{}, {literal}};
    if (literal.kind == Literal::Kind::Before) how.told = {teller_.supposed(literal)};
    if (literal.kind == Literal::Kind::From && !literal.txn.is_none())
      how.told = {teller_.source(literal.op, literal.txn)};
    learn(known, literal, std::move(how));
    return known;
  }

  // Adds an order, because its contrary leads to a contradiction.
  void learn_refuted(Knowledge& known, const Literal& order, Contradiction contrary) const {
    contrary.rests_on.erase(order.contrary());
    Steps cycle = teller_.told() < kMostSteps ? std::move(contrary.cycle) : Steps{};
    learn(known, order, {{teller_.refuted(order, std::move(cycle))}, std::move(contrary.rests_on)});
  }

  // --- Consequences ---

  // Applies lemmas until nothing more follows.
  std::optional<Contradiction> propagate(Knowledge& known) {
    for (bool changed = true; changed;) {
      changed = false;
      for (const Lemma& lemma : outline_.lemmas()) {
        const std::size_t before = known.size();
        if (auto contradiction = use(lemma, known)) return contradiction;
        changed |= known.size() > before;
      }
      changed |= decide_reads(known);
    }
    return std::nullopt;
  }

  // If a transaction is known to have taken effect, each of its reads with a single candidate writer is from
  // that writer.
  bool decide_reads(Knowledge& known) const {
    const std::size_t before = known.size();
    for (const OpId read : outline_.open_reads()) {
      const auto writers = outline_.reads().possible_writers(read);
      if (writers.size() != 1 || !is_undecided(known, read)) continue;
      Known how{};
      add_grounds(how.rests_on, known, Literal::counts(outline_.reads().transaction(read)));
      if (!writers[0].is_none()) how.told = {teller_.source(read, writers[0])};
      learn(known, Literal::from(read, writers[0]), std::move(how));
    }
    return known.size() > before;
  }

  std::optional<Contradiction> use(const Lemma& lemma, Knowledge& known) {
    std::optional<Literal> open;
    for (const Literal& premise : lemma.premises) {
      if (is_true(known, premise)) continue;
      if (open || is_false(known, premise)) return std::nullopt;
      open = premise;
    }
    if (lemma.conclusion) return open ? std::nullopt : conclude(lemma, known);
    if (!open)
      return Contradiction{.cycle = teller_.cycle(lemma.line, known),
                           .rests_on = grounds(known, lemma.premises)};
    if (open->kind != Literal::Kind::Before) return std::nullopt;
    const Knowledge supposed = supposing(known, *open);
    learn_refuted(
        known, open->contrary(),
        {.cycle = teller_.cycle(lemma.line, supposed), .rests_on = grounds(supposed, lemma.premises)});
    return std::nullopt;
  }

  std::optional<Contradiction> conclude(const Lemma& lemma, Knowledge& known) {
    if (is_true(known, *lemma.conclusion)) return std::nullopt;
    Steps path = teller_.path(lemma.line, known);
    std::set<Literal> because = grounds(known, lemma.premises);
    const auto contrary = known.find(lemma.conclusion->contrary());
    if (contrary == known.end()) {
      learn(known, *lemma.conclusion, {std::move(path), std::move(because)});
      return std::nullopt;
    }
    path.insert(path.end(), contrary->second->told.begin(), contrary->second->told.end());
    because.insert(contrary->second->rests_on.begin(), contrary->second->rests_on.end());
    return Contradiction{.cycle = teller_.without_missed(std::move(path)), .rests_on = std::move(because)};
  }

  // Assumes each open order and its opposite in turn. If that leads to a contradiction, the contrary is
  // known.
  std::optional<Contradiction> look_ahead(Knowledge& known) {
    for (bool changed = true; changed;) {
      changed = false;
      for (const Literal& order : outline_.orders())
        for (const Literal& supposed : {order, order.contrary()}) {
          if (!is_open(known, order)) break;
          Knowledge trial = supposing(known, supposed);
          auto contrary = propagate(trial);
          if (!contrary) continue;
          learn_refuted(known, supposed.contrary(), std::move(*contrary));
          if (auto contradiction = propagate(known)) return contradiction;
          changed = true;
        }
    }
    return std::nullopt;
  }

  // --- Cases ---

  Contradiction refute(Knowledge known) {
    if (auto found = propagate(known)) return std::move(*found);
    if (auto found = look_ahead(known)) return std::move(*found);
    if (const auto read = best_read(known)) return split(known, *read);
    for (const Literal& order : outline_.orders())
      if (is_open(known, order)) {
        learn_refuted(known, order.contrary(), refute(supposing(known, order)));
        return refute(std::move(known));
      }
    ASSAY_ASSERT(false);  // a proof always leads to a contradiction
    return {};
  }

  // Whether the read's transaction took effect, but the writer that it read from is not known.
  bool is_undecided(const Knowledge& known, OpId read) const {
    if (!is_true(known, Literal::counts(outline_.reads().transaction(read)))) return false;
    return std::ranges::none_of(outline_.reads().possible_writers(read),
                                [&](TxnId writer) { return is_true(known, Literal::from(read, writer)); });
  }

  // The read whose cases leave the fewest without a contradiction; among equals, the one with the fewest
  // cases.
  std::optional<OpId> best_read(const Knowledge& known) {
    std::optional<std::tuple<std::size_t, std::size_t, OpId>> best;
    for (const OpId read : outline_.open_reads()) {
      if (!is_undecided(known, read)) continue;
      const auto writers = outline_.reads().possible_writers(read);
      const std::size_t open = std::ranges::count_if(writers, [&](TxnId writer) {
        Knowledge trial = supposing(known, Literal::from(read, writer));
        return !propagate(trial);
      });
      const std::tuple candidate(open, writers.size(), read);
      if (!best || candidate < *best) best = candidate;
    }
    return best ? std::optional(std::get<OpId>(*best)) : std::nullopt;
  }

  Contradiction split(const Knowledge& known, OpId read) {
    const auto writers = outline_.reads().possible_writers(read);
    Contradiction result{.question = words_.several_wrote(read, writers), .read = read};
    add_grounds(result.rests_on, known, Literal::counts(outline_.reads().transaction(read)));
    for (const TxnId writer : writers) {
      const Literal supposed = Literal::from(read, writer);
      Contradiction then = refute(supposing(known, supposed));
      if (then.rests_on.erase(supposed) == 0) return then;  // it holds in every case
      result.rests_on.insert(then.rests_on.begin(), then.rests_on.end());
      then.supposed = words_.if_from(writer);
      result.cases.push_back(std::move(then));
    }
    return result;
  }

  const Words& words_;
  ProofOutline outline_;
  ProofTeller teller_;
};

// Collects the edges of all cases, each once.
class Collector {
 public:
  Story story(Contradiction told) {
    if (told.cases.empty()) {
      begin_with_first(told.cycle);
      return {std::move(told.cycle)};
    }
    Story result;
    result.cases = cases(std::move(told));
    result.edges = std::move(edges_);
    return result;
  }

 private:
  std::shared_ptr<const Cases> cases(Contradiction told) {
    Cases result{.question = std::move(told.question), .read = told.read};
    for (Contradiction& one : told.cases) {
      Cases::Case next{.supposed = std::move(one.supposed)};
      begin_with_first(one.cycle);
      for (Dependency& edge : one.cycle) next.cycle.push_back(place(std::move(edge)));
      if (!one.cases.empty()) next.cases = cases(std::move(one));
      result.cases.push_back(std::move(next));
    }
    return std::make_shared<const Cases>(std::move(result));
  }

  // Rotates a cycle so that it begins at its first transaction.
  static void begin_with_first(Steps& cycle) {
    std::ranges::rotate(cycle, std::ranges::min_element(cycle, {}, &Dependency::from));
  }

  std::size_t place(Dependency edge) {
    const auto same = std::ranges::find_if(edges_, [&](const Dependency& other) {
      return std::tie(other.kind, other.from, other.to, other.sentence, other.reason) ==
             std::tie(edge.kind, edge.from, edge.to, edge.sentence, edge.reason);
    });
    const auto found = static_cast<std::size_t>(same - edges_.begin());
    if (same == edges_.end()) edges_.push_back(std::move(edge));
    return found;
  }

  Steps edges_;
};

}  // namespace

Story tell_proof(const History& history, const Words& words, Level level, const Proof& proof) {
  return Collector().story(CaseSearch(history, words, level, proof).run());
}

}  // namespace assay
