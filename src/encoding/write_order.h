// What a history leaves open: which of two writers of a key comes first, and, where a value was written more
// than once, whom a read is from.
//
// A variable of the first kind stands for c(a) < c(b). Each of its sides switches on what follows from it: at
// the levels with a total order the readers of a's versions come before b, for all keys that both write;
// exclusive writers do not overlap; at psi only the two commits are ordered. A variable is made when the
// order at hand breaks a choice, never before: most are never made.
//
// A read with several possible writers is right if the order at hand shows it one of them. When it does not,
// there is a variable for each, of which one is true; if w is chosen and a shown, then c(w) < c(a) and `r is
// from w` imply s(r) < c(a), which has a variable too. Transactions that may count are in the order when
// their variable says so; otherwise they are thought of as running one after another at its end, where no
// edge about them is in the way. psi needs to know whom each read is from, so there these choices are made at
// once.
//
// Conditional writes take place in the order at hand if what they meet there matches. Only where something is
// broken with one of them there is a variable for it, and for whom its read is from, which decides it; what
// follows from its version then has that variable as a condition.
//
// What an order breaks is found key by key, and after the first time only near transactions that moved: a
// read by one of them, and versions of a key between where its writers were and are. The order of a key's
// versions is kept for that.
#pragma once

#include <algorithm>
#include <unordered_map>

#include "base/column.h"
#include "dependency/guess.h"
#include "solver/acyclicity.h"
#include "solver/solver.h"

namespace assay {

class WriteOrder {
 public:
  WriteOrder(const History& history, const ReadFacts& facts, const VersionIndex& versions,
             const PointRules& rules, const KnownGraph& known, Guess guess,
             const SolverSettings& settings = {});

  Answer solve(const std::function<bool()>& stop);
  // Makes every choice at once instead of when it is broken.
  void make_all_choices();

  struct Choice {
    enum class Kind : std::uint8_t {
      Order,   // c(first) < c(second)
      Fact,    // found late: a reader of an initial version comes before a writer of the key
      From,    // open read `read` is from `version`, which `first` wrote (none: the initial transaction)
      Counts,  // first
      Before,  // s(first) < c(second)
      Apart,   // c(first) < s(second)
      Took,    // conditional write `read` took place
    };
    Kind kind;
    TxnId first{}, second{};
    std::uint32_t read = 0;
    VersionId version{};
    bool is_fact() const { return kind == Kind::Fact; }
  };
  // Why an axiom of the search holds.
  struct Axiom {
    enum class Kind : std::uint8_t {
      Fact,
      Candidates,   // `read` is from one of them
      Implies,      // `read` is not from `txn`, or it counts
      Shows,        // `list` shows something of `txn`: its reader is absent, or that one counts
      Overwritten,  // `read` is from `from` (none: the initial transaction), so, if that is before txn, the
                    // reader is too
      KnownOverwritten,  // the same of a read with one possible writer, where txn's write is conditional
      Excluded,          // `read` is not from candidate number `candidate` of all
      Matched,           // conditional write `write` did not take place, or met one of those that match
      Unmatched,         // it did, or met one of the others
      Decides,           // what it met, if that is candidate number `candidate` of its read, decides it
      Exclusive,  // from and txn, which both write `key` if their conditional writes took place, do not
                  // overlap
      TooMany,    // not all of these conditional writes, of the same statement as `write`, took place
      TooFew,     // one of these did
    };
    Kind kind;
    std::uint32_t read = 0;
    TxnId from{}, txn{};
    std::uint32_t candidate = 0;
    OpId list{};
    std::uint32_t write = 0;
    KeyId key{};
  };
  const Axiom& axiom(ClauseId id) const { return axioms_.at(id); }
  const Choice& choice(Var var) const { return choices_[var]; }
  std::size_t choice_count() const { return choices_.size(); }
  // That the choices so far are about, in order.
  std::vector<KeyId> keys_of_choices() const;

  // Of an edge that a literal switches on, or a fact.
  EdgeCause cause(std::uint32_t edge) const;
  // A lemma is a cycle of edges; or, at psi, a path of edges from an overwriting transaction to the reader
  // that missed it, and after them the read's place among the facts; of open reads, counted on after those.
  bool is_cycle(ClauseId lemma) const { return !std::ranges::binary_search(missed_lemmas_, lemma); }

  const Solver& solver() const { return solver_; }
  const Acyclicity& theory() const { return theory_; }
  std::vector<std::uint32_t> order() const { return theory_.order().order(); }
  // Whether the transaction is in the execution that was found.
  bool counts(TxnId t) const;
  // Of an open read in it: the version that was chosen; at levels with a total order only where one had to
  // be.
  VersionId chosen(std::uint32_t read) const;

 private:
  using Place = DynamicOrder::Place;

  bool repair();
  void look_at_moved();
  void look_at_moved_readers(std::span<const TxnId> moved);
  void look_at_moved_writers(std::span<const TxnId> moved);
  std::vector<TxnId> take_moved();
  Place place_before(TxnId t) const {
    const Moved& moved = moved_[t.index()];
    return moved.look == look_ ? moved.from : theory_.order().position(points_.commit(t));
  }
  bool probe_new_choices(const std::function<bool()>& stop);
  struct Stretch {
    KeyId key;
    Place low, high;
  };
  void look_at_stretch(const Stretch& stretch);
  bool keep_or_add_dirty(KeyId key);
  bool may_be_kept(KeyId key) const {
    return versions_.possible_of(key).empty() && versions_.conditional_of(key).empty();
  }
  std::span<VersionId> kept(KeyId key) {
    return {kept_.data() + versions_.key_begin[key.index()], versions_.of(key).size()};
  }
  void keep(KeyId key);
  void keep_all();
  bool meet_many_keys(std::span<const TxnId> moved) const;
  std::span<const VersionId> sort_key(KeyId key);
  Place place(VersionId v) const { return theory_.order().position(points_.commit(facts_.writer(v))); }
  void add_dirty(KeyId key);
  void check_key(KeyId key);
  void check_pair(KeyId key, std::span<const VersionId> in_order, std::size_t i);
  void check_reads(VersionId version, VersionId next);
  bool check_read(VersionId version, VersionId next, TxnId reader, std::uint32_t read);
  bool is_broken(std::uint32_t read, VersionId shown) const;
  void keep_apart(KeyId key, VersionId first, VersionId second);
  void keep_those_that_take_place();
  void check_counts();
  void check_open_read(std::uint32_t read, std::span<const VersionId> in_order);
  VersionId shown(const OpenRead& read, std::span<const VersionId> in_order) const;
  void choose_writer(std::uint32_t read);
  void put_before(std::uint32_t read, VersionId chosen, VersionId overwriting);
  void put_known_before(std::uint32_t read, VersionId overwriting);
  Lit reader_first(TxnId reader, OpId read, std::uint32_t place, TxnId overwriting);
  Lit apart(TxnId first, TxnId second);
  void check_chosen(std::uint32_t read, std::span<const VersionId> in_order);
  void forbid_reaching(VersionId version, TxnId next, TxnId reader, std::uint32_t reason,
                       std::optional<Lit> chosen);
  Var make_choice(TxnId a, TxnId b);
  Lit counting(TxnId t);
  Lit took(VersionId conditional);
  void add_condition(VersionId version, std::vector<Lit>& clause);
  void add_what_decides(std::uint32_t write);
  std::vector<Lit> sources(std::uint32_t write, bool matching) const;
  void add_shown_by(TxnId t);
  Lit from(std::uint32_t read, std::size_t candidate) const {
    return Lit(from_[read] + static_cast<Var>(candidate), true);
  }
  Var add_variable(Choice choice, std::span<const Edge> if_true, std::span<const EdgeCause> causes,
                   std::optional<bool> preferred = {});
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
  std::vector<KeyId> still_dirty_;  // a choice about whom a read is from need not move anything
  std::vector<bool> is_dirty_;
  bool added_ = false;
  Var probed_ = 0;  // variables before this one have been tried by themselves
  std::vector<std::pair<std::uint32_t, TxnId>>
      late_facts_;  // a read of an initial version, and who overwrote it
  struct LateLemma {
    std::vector<Lit> literals;
    std::vector<std::uint32_t> reasons;
  };
  std::vector<LateLemma> late_lemmas_;
  struct LateAxiom {
    std::vector<Lit> literals;
    Axiom axiom;
  };
  std::vector<LateAxiom> late_axioms_;
  std::unordered_map<ClauseId, Axiom> axioms_;
  static constexpr Var kNoVar = UINT32_MAX;
  std::vector<Var> from_;  // by open read: the variable of its first candidate, if it has been made
  std::unordered_map<TxnId, Var> counting_;
  std::vector<TxnId> new_counting_;                // what their lists show has not been said yet
  std::unordered_map<std::uint64_t, Var> before_;  // s(first) < c(second)
  std::unordered_map<std::uint64_t, Var> apart_;   // c(first) < s(second)
  // By conditional write.
  std::vector<Var> took_;          // if it has been made
  std::vector<bool> takes_place_;  // in the order at hand, when its key was last looked at
  std::vector<std::uint32_t> made_took_,
      new_took_;  // those with a variable; those of which nothing has been said yet
  std::vector<std::uint32_t>
      decides_;  // by open read: the conditional write, or kNothing; empty: there is none
  static constexpr std::uint32_t kNothing = UINT32_MAX;
  std::vector<ClauseId> missed_lemmas_;
  std::vector<VersionId> in_order_;  // of the key at hand, where its order is not kept
  // The versions of keys, where VersionIndex::versions has them, in order as the last look saw them.
  std::vector<bool> is_kept_;     // by key
  std::vector<bool> is_suspect_;  // by key: the order may break it, and it was not looked at yet
  Column<VersionId> kept_;
  std::uint32_t look_ = 0;
  struct Moved {
    std::uint32_t look = 0;   // the last one for which it had moved
    Place from = 0;           // its commit, at the look before
    Place low = 0, high = 0;  // where it was since then
  };
  std::vector<Moved> moved_;  // by transaction

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
