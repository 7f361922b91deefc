// All histories of a scope as one circuit: inputs that say what happened, and what must hold of them.
//
// With unique values (H2), the k-th writer of an object writes value k, so that values need no inputs: what
// is open is who writes, who reads from whom, and the sessions. Transactions are numbered along an order that
// contains sessions and reads (H4 says there is one); with `numbered` that order is the numbers themselves,
// which breaks the symmetry of their names, and objects are sorted, which breaks that of theirs.
//
//   H1  a transaction reads and writes an object with at most one value (unless the scope allows several
//   reads) H2  values of an object are unique (unless the scope allows duplicates) H3  what is read was
//   written H4  sessions and reads are acyclic H5  no transaction is empty H6  with clocks: a session runs
//   one transaction after another, and nobody reads from one that began after the
//       reader ended. Who ended before whom began is an interval order: of two such pairs, one of the first
//       members ended before the other pair's second member began.
#pragma once

#include <functional>

#include "synthesis/relations.h"
#include "synthesis/scope.h"

namespace assay::synthesis {

struct ModelOptions {
  bool numbered = true;     // transactions in an order, objects sorted
  bool operations = false;  // with program order
  bool values = false;      // specifications speak of them
  bool clocks = false;      // when transactions began and ended
  bool ends = false;        // which of two ended first
  std::vector<spec::Label> labels{};
};
// What has to be said of histories so that the specification can be asked.
ModelOptions options_for(const spec::Specification& spec, const ModelOptions& more);

class HistoryModel {
 public:
  // Exactly `transactions` of the scope.
  HistoryModel(Circuit& circuit, const Scope& scope, const ModelOptions& options);

  const World& world() const { return world_; }               // without witnesses
  const std::vector<Lit>& inputs() const { return inputs_; }  // that together say which history it is
  const std::vector<Lit>& constraints() const { return constraints_; }
  const Table& order() const { return order_; }  // contains sessions and reads
  const Scope& scope() const { return scope_; }

  // From whom reads are, where values do not tell: a new choice, with what makes it one.
  struct Choice {
    Table wr;
    Lit legal;
  };
  Choice choose_writers();
  // Every read is from exactly one that wrote its value.
  Lit legal_writers(const Table& wr);
  // The world in which reads are from these.
  World with_writers(const Table& wr) const;

  std::vector<Lit> operations() const;  // what a history can have of them
  std::vector<Lit> used_objects() const;
  std::vector<Lit> used_values()
      const;  // of any object, without the initial one, which is used where it is read

  spec::HistoryFacts facts(const std::function<bool(Lit)>& value) const;

 private:
  Lit add_input();
  void add_sessions();
  void add_unique_values();
  void add_written_values();
  void add_duplicate_values();
  void add_program_order();
  void add_clocks();
  void add_labels();
  // Operations of a transaction, by object and version. Where reads are repeatable, all versions share one.
  std::size_t operation(std::size_t t, std::size_t x, std::size_t s) const;
  std::size_t operations_of_one() const { return scope_.objects * (scope_.repeatable_reads ? 1 : n_); }
  void sort_objects();
  void require(Lit lit) { constraints_.push_back(lit); }
  void at_most_one(const std::vector<Lit>& lits);
  void set_rf(World& world) const;

  Circuit& c_;
  const Scope scope_;
  const ModelOptions options_;
  const std::size_t n_;  // transactions with the initial one
  World world_;
  Table order_;
  std::vector<Lit> inputs_, constraints_;
};

// A total order of 0..n-1 with 0 first, from one input for each pair; `valid` is that it is transitive.
Table order_inputs(Circuit& circuit, std::size_t n, Lit& valid, std::vector<Lit>* inputs = nullptr);
Table natural_order(std::size_t n);

}  // namespace assay::synthesis
