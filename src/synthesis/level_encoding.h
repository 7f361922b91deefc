// One specification about the histories of a model: witnesses as inputs, as constants or as terms, and what a
// specification says about them.
#pragma once

#include <functional>
#include <span>

#include "spec/core.h"
#include "synthesis/history_model.h"
#include "synthesis/translate.h"

namespace assay::synthesis {

// One table for each witness. An order ranges over all transactions here and is cut to its domain when used,
// so that the same order serves every history. `wr` is the choice of writers that goes with it.
struct Witnesses {
  std::vector<Table> tables;
  Table wr;
};

struct FreshWitnesses {
  Witnesses witnesses;
  std::vector<Lit> inputs;
  Lit valid;  // they are of the declared kinds
};

// The number of the first total order of all transactions.
std::optional<std::size_t> commit_order(const spec::Specification& spec);

// Witnesses of the declared kinds; `order` is taken for the commit order where it is given.
FreshWitnesses fresh_witnesses(Circuit& circuit, const World& history, const spec::Specification& spec,
                               const Table* order = nullptr);
// The history with these witnesses; orders are cut to their domain.
World with_witnesses(Circuit& circuit, const World& history, const spec::Specification& spec,
                     std::vector<Table> witnesses);
// Axioms and formula for these.
Lit level_holds(Circuit& circuit, const World& history, const spec::Specification& spec,
                std::vector<Table> witnesses);

// For each witness of the second one of the first that is declared alike, if there is one for all of them:
// the same kind, index and domain; by preference the same name.
std::optional<std::vector<std::size_t>> alike_witnesses(const spec::Specification& first,
                                                        const spec::Specification& second);

// Puts the guesses of the level in for its witnesses. The literal says that they are of the declared kinds.
Lit put_in_guesses(Circuit& circuit, const World& history, const spec::Specification& spec,
                   std::vector<Table>& witnesses);

class LevelEncoding {
 public:
  LevelEncoding(Circuit& circuit, HistoryModel& model, const spec::Specification& spec)
      : c_(circuit), model_(model), spec_(spec) {}

  // `order`: what to take for the first total order of transactions instead of inputs.
  FreshWitnesses fresh(const Table* order = nullptr);
  // Axioms and formula for these.
  Lit holds(const Witnesses& witnesses);
  // Inputs that axioms and formula leave no choice for become constants, so that less has to be translated.
  Lit simplify_and_hold(FreshWitnesses& fresh);

  // Relations of transactions that axioms or formula say are acyclic.
  std::vector<Table> acyclic_relations(const Witnesses& witnesses);

  const spec::Specification& spec() const { return spec_; }
  std::optional<std::size_t> commit_order() const { return synthesis::commit_order(spec_); }

 private:
  World history(const Witnesses& witnesses) const;

  Circuit& c_;
  HistoryModel& model_;
  const spec::Specification& spec_;
};

// A relation over transactions that a term gives for an order.
Table term_at(Circuit& circuit, const World& history, const spec::Specification& term, const Table& order);

// Some levels only ever ask that certain transactions are ordered in a certain way, for reasons that do not
// depend on the order itself (ra and cc of Biswas and Enea). An order for them exists exactly when what they
// ask for has no cycle, so no search over orders is needed. Finds this out from the circuit.
struct AskedOrder {
  Table asked;  // what must be ordered how
  Lit refused;  // or the level fails whatever the order
};
std::optional<AskedOrder> asked_order(Circuit& circuit, Lit level, const Table& order);

// Whether the relation has a cycle.
Lit cyclic(Circuit& circuit, Table relation);

}  // namespace assay::synthesis
