// CaDiCaL behind the little that synthesis needs of it, fed by a circuit.
//
// A gate gets clauses when it is first needed, and only for the directions in which it is needed (Plaisted
// and Greenbaum): what is required to be true never says what follows from its being false.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "synthesis/circuit.h"

namespace assay::synthesis {

using Clause = std::vector<int>;

class Sat {
 public:
  explicit Sat(const Circuit& circuit, Stop stop = {});
  ~Sat();
  Sat(const Sat&) = delete;
  Sat& operator=(const Sat&) = delete;

  void require(Lit lit);  // for good
  void require_any(std::span<const Lit> lits);
  // Makes the literal one that can be assumed and asked for.
  void use(Lit lit);
  // What a variable is tried with first.
  void prefer(Lit lit);

  enum class Answer { Satisfiable, Unsatisfiable, Stopped };
  Answer solve(std::span<const Lit> assumptions = {});
  bool value(Lit lit) const;  // after Satisfiable

  const std::vector<Clause>& clauses() const { return clauses_; }

 private:
  struct Implementation;
  enum : std::uint8_t { kImplies = 1, kImplied = 2 };

  int literal(Lit lit, bool positive, bool negative);
  int gate_literal(Lit lit) const;
  void add(Clause clause);

  const Circuit& circuit_;
  std::unique_ptr<Implementation> cadical_;
  std::vector<int> variable_;  // of each gate; 0: none yet
  std::vector<std::uint8_t> directions_;
  std::vector<Clause> clauses_;
  int variables_ = 0;
  bool stopped_ = false;
};

// Solves clauses alone, without assumptions, writing a DRAT proof of unsatisfiability. Nothing: they can be
// satisfied.
std::optional<std::string> prove_unsatisfiable(const std::vector<Clause>& clauses);

}  // namespace assay::synthesis
