// A SAT solver modulo a theory: conflict-driven clause learning over literals whose meaning a Theory knows.
//
// search.cpp holds the textbook loop: propagate, analyze the conflict and learn a clause (first UIP),
// backtrack, restart (Luby), delete learned clauses, decide by activity. Each verb has a file of its own. Two
// things are particular. The theory chooses the value of a decision variable. And when every variable has a
// value, the caller may add more variables and clauses: it encodes a constraint only when the order found so
// far violates it. Every clause keeps its derivation.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/random.h"
#include "solver/derivation.h"
#include "solver/settings.h"
#include "solver/theory.h"

namespace assay {

enum class Answer : std::uint8_t { Satisfiable, Unsatisfiable, Stopped };

class Solver {
 public:
  explicit Solver(Theory& theory, const SolverSettings& settings = {})
      : theory_(theory), settings_(settings), random_(settings.seed), restart_limit_(settings.restart_base) {}

  Var new_variable();
  std::size_t variable_count() const { return value_.size(); }
  // `complete` may call this. A clause of at most one literal, or one with assigned literals, makes the
  // search backtrack to level 0.
  ClauseId add_clause(std::span<const Lit> literals) { return add(Derivations::Kind::Axiom, literals, {}); }
  // Adds a clause of the theory that assign() did not report, with the theory's reasons for it.
  ClauseId add_lemma(std::span<const Lit> literals, std::span<const std::uint32_t> reasons) {
    return add(Derivations::Kind::Lemma, literals, reasons);
  }

  // Tries each literal of a variable at level 0. If the theory rejects one, its negation is fixed. This
  // settles most new variables, and a variable fixed at level 0 is never assigned again when the search
  // backtracks.
  void probe(Var var);

  // Searches until the answer is known. When every variable that needs a value has one, it calls `complete`,
  // which returns whether it added anything. It polls `stop` in every round without a conflict.
  Answer solve(const std::function<bool()>& complete, const std::function<bool()>& stop);

  bool is_true(Lit l) const { return value_[l.var()] == (l.positive() ? kTrue : kFalse); }
  bool is_assigned(Var v) const { return value_[v] != kOpen; }

  // The empty clause of an unsatisfiable problem.
  ClauseId contradiction() const { return *contradiction_; }
  bool is_contradictory() const { return contradiction_.has_value(); }
  const Derivations& derivations() const { return derivations_; }
  std::uint64_t conflicts() const { return conflicts_; }
  std::uint64_t decisions() const { return decisions_; }

 private:
  static constexpr std::int8_t kTrue = 1, kFalse = -1, kOpen = 0;
  using ClauseRef = std::uint32_t;
  static constexpr ClauseRef kNoClause = UINT32_MAX;

  struct Clause {
    ClauseId id;
    bool learned, deleted = false;
    std::uint32_t distinct_levels = 0;
    std::vector<Lit> literals;  // the first two are watched
  };
  struct Watch {
    ClauseRef clause;
    Lit blocker;  // a literal of the clause: if it is true, the clause need not be visited
  };

  // propagate.cpp
  ClauseId add(Derivations::Kind kind, std::span<const Lit> literals, std::span<const std::uint32_t> grounds);
  std::int8_t value(Lit l) const {
    return l.positive() ? value_[l.var()] : static_cast<std::int8_t>(-value_[l.var()]);
  }
  void enqueue(Lit l, ClauseRef reason);
  ClauseRef add_lemma(TheoryConflict& conflict);
  ClauseRef propagate();
  ClauseRef propagate_clauses(Lit l);
  ClauseRef attach(Clause clause);
  void backtrack(std::uint32_t level);
  std::uint32_t level() const { return static_cast<std::uint32_t>(level_begin_.size()); }

  // analyze.cpp
  void learn_from(ClauseRef conflict);
  void conclude(ClauseRef conflict);
  void fix(Lit l, ClauseRef reason);
  void bump(Var v);

  // decide.cpp
  std::optional<Var> next_variable();
  std::optional<Var> random_variable();
  Lit literal_to_try(Var v);
  void heap_insert(Var v);
  void sift_up(std::size_t i);
  void sift_down(std::size_t i);

  // restart.cpp
  bool restarting() const { return conflicts_since_restart_ >= restart_limit_; }
  void restart();
  bool reducing() const { return learned_alive_ > reduce_limit_; }
  void reduce();

  Theory& theory_;
  SolverSettings settings_;
  Random random_;
  Derivations derivations_;
  std::optional<ClauseId> contradiction_;

  std::vector<std::int8_t> value_;
  std::vector<std::uint32_t> level_;
  std::vector<ClauseRef> reason_;
  std::vector<ClauseId> unit_;  // by variable fixed at level 0: its unit clause
  std::vector<Lit> trail_;
  std::vector<std::uint32_t> level_begin_;          // by decision level: where it begins in the trail
  std::size_t clauses_done_ = 0, theory_done_ = 0;  // prefix of the trail that each has processed

  std::vector<Clause> clauses_;
  std::vector<std::vector<Watch>> watches_;  // by literal: clauses to visit when it becomes false

  std::vector<double> activity_;
  double bump_by_ = 1;
  std::vector<Var> heap_;
  std::vector<std::uint32_t> heap_place_;  // by variable: its index in heap_
  std::vector<Var> passed_over_;           // variables that reached the top of the heap and need no value
  std::vector<bool> seen_;                 // by variable, during analysis: already marked
  std::vector<bool> tried_;                // by variable: has been decided; only kept with `contrary`

  std::uint64_t conflicts_ = 0, decisions_ = 0, conflicts_since_restart_ = 0, restart_limit_;
  std::uint64_t restarts_ = 0, learned_alive_ = 0, reduce_limit_ = 4000;
};

}  // namespace assay
