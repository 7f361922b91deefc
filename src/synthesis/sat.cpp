#include "synthesis/sat.h"

#include <cadical.hpp>

#include <cstdio>
#include <cstdlib>

#include "base/contract.h"

namespace assay::synthesis {

struct Sat::Implementation : CaDiCaL::Terminator {
  CaDiCaL::Solver solver;
  Stop stop;
  bool terminate() override { return stop && stop().has_value(); }
};

Sat::Sat(const Circuit& circuit, Stop stop)
    : circuit_(circuit), cadical_(std::make_unique<Implementation>()) {
  cadical_->stop = std::move(stop);
  cadical_->solver.set("quiet", 1);
  if (cadical_->stop) cadical_->solver.connect_terminator(cadical_.get());
}

Sat::~Sat() {
  if (cadical_->stop) cadical_->solver.disconnect_terminator();
}

// A large circuit becomes clauses for seconds, so limits of time and memory are asked here too. Clauses that
// are left out change no answer: there is none any more.
void Sat::add(Clause clause) {
  constexpr std::size_t kBetweenLooks = 4096;
  if (!stopped_ && cadical_->stop && clauses_.size() % kBetweenLooks == kBetweenLooks - 1)
    stopped_ = cadical_->stop().has_value();
  if (stopped_) return;
  for (const int lit : clause) cadical_->solver.add(lit);
  cadical_->solver.add(0);
  clauses_.push_back(std::move(clause));
}

int Sat::gate_literal(Lit lit) const {
  const int variable = variable_[lit.gate()];
  return lit.negated() ? -variable : variable;
}

int Sat::literal(Lit lit, bool positive, bool negative) {
  const std::uint32_t gate = lit.gate();
  if (variable_.size() < circuit_.size()) {
    variable_.resize(circuit_.size());
    directions_.resize(circuit_.size());
  }
  if (variable_[gate] == 0) {
    variable_[gate] = ++variables_;
    if (gate == 0) add({variables_});
  }
  if (lit.negated()) std::swap(positive, negative);
  if (gate == 0 || circuit_.is_input(gate)) return gate_literal(lit);
  if (positive && (directions_[gate] & kImplies) == 0) {
    directions_[gate] |= kImplies;
    for (const Lit part : circuit_.parts(gate)) {
      const int p = literal(part, true, false);
      add({-variable_[gate], p});
    }
  }
  if (negative && (directions_[gate] & kImplied) == 0) {
    directions_[gate] |= kImplied;
    Clause clause{variable_[gate]};
    for (const Lit part : circuit_.parts(gate)) clause.push_back(-literal(part, false, true));
    add(std::move(clause));
  }
  return gate_literal(lit);
}

void Sat::require(Lit lit) {
  if (stopped_ || lit == kTrue) return;
  if (lit == kFalse) return add({});
  if (circuit_.is_input(lit.gate())) return add({literal(lit, true, true)});
  if (!lit.negated()) {
    for (const Lit part : circuit_.parts(lit.gate())) require(part);
    return;
  }
  std::vector<Lit> parts(circuit_.parts(lit.gate()).begin(), circuit_.parts(lit.gate()).end());
  for (Lit& part : parts) part = !part;
  require_any(parts);
}

void Sat::require_any(std::span<const Lit> lits) {
  Clause clause;
  for (const Lit lit : lits) clause.push_back(literal(lit, true, false));
  add(std::move(clause));
}

void Sat::use(Lit lit) { literal(lit, true, true); }

void Sat::prefer(Lit lit) {
  if (lit.gate() != 0) cadical_->solver.phase(literal(lit, true, true));
}

Sat::Answer Sat::solve(std::span<const Lit> assumptions) {
  for (const Lit lit : assumptions) cadical_->solver.assume(literal(lit, true, true));
  if (stopped_ || circuit_.stopped() || (cadical_->stop && cadical_->stop())) return Answer::Stopped;
  switch (cadical_->solver.solve()) {
    case 10: return Answer::Satisfiable;
    case 20: return Answer::Unsatisfiable;
    default: return Answer::Stopped;
  }
}

bool Sat::value(Lit lit) const {
  if (lit.gate() == 0) return !lit.negated();
  // What no clause speaks of may be anything.
  if (lit.gate() >= variable_.size() || variable_[lit.gate()] == 0) return lit.negated();
  const int literal = gate_literal(lit);
  return cadical_->solver.val(std::abs(literal)) > 0 ? literal > 0 : literal < 0;
}

std::optional<std::string> prove_unsatisfiable(const std::vector<Clause>& clauses) {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* memory = open_memstream(&text, &size);
  ASSAY_REQUIRE(memory != nullptr);
  int answer = 0;
  {
    CaDiCaL::Solver solver;
    solver.set("quiet", 1);
    solver.set("binary", 0);
    solver.trace_proof(memory, "proof");
    for (const Clause& clause : clauses) {
      for (const int lit : clause) solver.add(lit);
      solver.add(0);
    }
    answer = solver.solve();
    solver.flush_proof_trace();
    solver.close_proof_trace();
  }
  std::fclose(memory);
  std::string proof(text, size);
  std::free(text);
  if (answer != 20) return std::nullopt;
  return proof;
}

}  // namespace assay::synthesis
