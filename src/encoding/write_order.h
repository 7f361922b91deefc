// The one kind of choice that unique values leave open: which of two writers of a key comes first.
//
// A variable stands for c(a) < c(b). Each of its sides switches on what follows from it: at the levels with a total
// order the readers of a's versions come before b, for all keys that both write; exclusive writers do not
// overlap; at psi only the two commits are ordered. A variable is made when the order at hand breaks a
// choice, never before: most are never made.
//
// What an order breaks is found key by key, after the first time only for the keys of transactions that moved.
#pragma once

#include <algorithm>
#include <unordered_map>

#include "dependency/guess.h"
#include "solver/acyclicity.h"
#include "solver/solver.h"

namespace assay {

class WriteOrder {
 public:
  WriteOrder(const History& history, const ReadFacts& facts, const VersionIndex& versions, const PointRules& rules,
             const KnownGraph& known, Guess guess);

  Answer solve(const std::function<bool()>& stop);
  // Makes every choice at once instead of when it is broken.
  void make_all_choices();

  // c(first) < c(second) is the positive literal. A variable without a pair is a fact found late: a reader of an initial
  // version comes before a writer of the key.
  struct Choice {
    TxnId first, second;
    bool is_fact() const { return first.is_none(); }
  };
  const Choice& choice(Var var) const { return choices_[var]; }
  std::size_t choice_count() const { return choices_.size(); }

  // Of an edge that a literal switches on, or a fact.
  EdgeCause cause(std::uint32_t edge) const;
  // A lemma is a cycle of edges; or, at psi, a path of edges from an overwriting transaction to the reader that missed
  // it, and after them the read's place among the facts.
  bool is_cycle(ClauseId lemma) const { return !std::ranges::binary_search(missed_lemmas_, lemma); }

  const Solver& solver() const { return solver_; }
  const Acyclicity& theory() const { return theory_; }
  std::span<const std::uint32_t> order() const { return theory_.order().order(); }

 private:
  bool repair();
  void mark_moved();
  void probe_new_choices();
  void sort_key(KeyId key);
  void check_key(KeyId key);
  void check_reads(VersionId version, TxnId next);
  void forbid_reaching(VersionId version, TxnId next, std::uint32_t read);
  Var make_choice(TxnId a, TxnId b);
  void make_late_facts();
  void add_side(TxnId first, TxnId second, std::vector<Edge>& edges);
  Lit before(TxnId a, TxnId b);  // the literal of c(a) < c(b)
  bool is_decided(TxnId a, TxnId b) const {
    const auto found = choice_of_pair_.find(pair_code(a, b));
    return found != choice_of_pair_.end() && solver_.is_assigned(found->second);
  }
  static std::uint64_t pair_code(TxnId a, TxnId b) {
    return std::uint64_t{std::min(a, b).value} << 32 | std::max(a, b).value;
  }

  const History& h_;
  const ReadFacts& facts_;
  const VersionIndex& versions_;
  const PointRules& rules_;
  const KnownGraph& known_;
  Points points_;
  Acyclicity theory_;
  Solver solver_;

  std::vector<Choice> choices_;
  std::unordered_map<std::uint64_t, Var> choice_of_pair_;
  std::vector<EdgeCause> causes_;  // of the edges that literals switch on

  std::vector<KeyId> dirty_;
  std::vector<bool> is_dirty_;
  bool added_ = false;
  Var probed_ = 0;  // variables before this one have been tried by themselves
  std::vector<std::pair<std::uint32_t, TxnId>> late_facts_;  // a read of an initial version, and who overwrote it
  struct LateLemma {
    std::vector<Lit> literals;
    std::vector<std::uint32_t> reasons;
  };
  std::vector<LateLemma> late_lemmas_;
  std::vector<ClauseId> missed_lemmas_;
  std::vector<VersionId> in_order_;  // of the key at hand

  // psi only: the version before each one in the order at hand, and a search backwards.
  std::vector<VersionId> previous_;
  struct Step {
    std::uint32_t to, edge;  // kNoEdge: the order of two writers that nobody decided yet
  };
  static constexpr std::uint32_t kNoEdge = UINT32_MAX;
  std::vector<Step> step_;
  std::vector<std::uint32_t> visited_, queue_;
  std::uint32_t visit_ = 0;
};

}  // namespace assay
