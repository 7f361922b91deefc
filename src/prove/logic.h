// Histories of any size in first-order logic: transactions, objects and reads are sorts without a bound.
//
// The history's relations are predicates with axioms that every history fulfils. "Unsatisfiable" therefore
// holds for histories of every size. The axioms leave out some of what is true of histories (that there are
// finitely many transactions, that none is empty), so a model need not be a history: it proves nothing.
//
// A transitive closure is a predicate too. That it is the least one cannot be said in first-order logic; what
// is said instead is that it lies within every transitive relation of a list, which is what a proof by
// induction over its steps would use.
#pragma once

#include <z3++.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "spec/core.h"

namespace assay::prove {

using Elements = std::vector<z3::expr>;

// A relation as a function from elements to a formula. Relations with equal keys are equal.
struct Relation {
  std::function<z3::expr(const Elements&)> holds;
  std::string key;
};

class Logic {
 public:
  // Which histories the formulas describe: whether transactions have sessions, and whether they may write
  // keys that they have not read. `operations`: whether each read is an element of its own.
  struct Kind {
    bool sessions = true, blind_writes = true, operations = false, repeatable_reads = true, clocks = false;
  };
  explicit Logic(const Kind& kind);
  Logic(const Logic&) = delete;
  Logic& operator=(const Logic&) = delete;

  z3::context& context() { return context_; }
  z3::sort sort(spec::Sort sort) const { return sorts_.at(static_cast<std::size_t>(sort)); }
  const z3::expr& initial() const { return initial_; }
  z3::expr element(spec::Sort sort);  // a new name
  z3::expr base(spec::Base base, const Elements& elements);

  // An order of all transactions that contains sessions and reads: every history has one.
  const Relation& numbers() const { return numbers_; }

  // Reads are a sort that has elements even where nobody reads; these are the reads.
  z3::expr is_read(const z3::expr& operation) { return real_(operation); }

  Relation predicate(const std::string& name, const std::vector<spec::Sort>& columns);
  // A total order of all transactions with the initial one first.
  Relation total_order(const std::string& name);
  void require_order(const Relation& order, const std::function<z3::expr(const z3::expr&)>& domain,
                     bool total, const Elements& parameters = {});
  // A total order that contains this relation of transactions, which has no cycles.
  Relation order_that_contains(const Relation& relation);

  // The closure of what `step` gives for these parameters. Equal keys mean equal steps.
  using Step = std::function<Relation(const Elements& parameters)>;
  Relation closure(const std::string& key, const Step& step, const Elements& parameters, spec::Sort sort);
  // One more relation of transactions that closures may be compared with.
  void compare_closures_with(const Relation& relation) { bounds_.push_back(relation); }

  void require(const z3::expr& axiom) { axioms_.push_back(axiom); }
  z3::expr all(const Elements& bound, const z3::expr& body);
  z3::expr some(const Elements& bound, const z3::expr& body);
  z3::expr both(const std::vector<z3::expr>& parts);

  // Everything that was required, with what is said of closures.
  std::vector<z3::expr> axioms();

 private:
  struct Closure {
    z3::func_decl predicate;
    Elements parameters;
    Relation step;  // for them
    spec::Sort sort;
  };
  static Relation applied(const z3::func_decl& function, const Elements& parameters, const std::string& key);
  void add_history_axioms(const Kind& kind);
  void add_read_axioms();
  void add_clock_axioms();
  void add_closure_axioms(std::vector<z3::expr>& axioms);

  z3::context context_;
  std::vector<z3::sort> sorts_;
  z3::expr initial_;
  z3::func_decl so_, writers_, wr_, real_, po_, by_, at_, source_, rt_, ended_;
  Relation numbers_;
  std::vector<z3::expr> axioms_;
  std::vector<Relation> bounds_;
  std::map<std::string, Closure> closures_;
  std::size_t names_ = 0;
};

}  // namespace assay::prove
