// The unknowns of a history at a weak level, as variables and clauses: from which writer each open read is,
// and which transactions of unknown outcome count.
//
// Each candidate writer of an open read has a variable; a read whose transaction counts is from one of its
// candidates. A writer from which a read is counts too, and so does the writer of an element that a
// list read shows. Reads prefer the newest candidate before them.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "dependency/read_facts.h"
#include "solver/solver.h"
#include "verdict/proof_builder.h"

namespace assay {

// A theory that never finds a conflict, and only says which literals the search prefers. For a read it
// prefers the likeliest candidate writer that is not assigned yet. Once a read has a writer, its other
// variables need no value.
class LikelyWriters : public Theory {
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

class WriterChoices {
 public:
  WriterChoices(const History& history, const ReadFacts& facts);

  Solver& solver() { return solver_; }
  const Solver& solver() const { return solver_; }
  std::size_t count() const { return meaning_.size(); }
  const ReadFacts& facts() const { return facts_; }

  // The facts that result from the current assignment: each read has one writer.
  ReadFacts chosen_facts() const;
  bool is_open(OpId read) const;
  bool may_count(TxnId t) const { return counting_.contains(t); }

  Literal meaning(Lit l) const { return l.positive() ? meaning_[l.var()] : meaning_[l.var()].contrary(); }
  Lit from(OpId open_read, TxnId writer) const;
  // The literal that the reader of this list does not count, if it only may count.
  std::optional<Lit> absent_reader(OpId list) const;

  // Writes down the clause that the choices themselves added under this id.
  LineId state_axiom(ClauseId id, ProofBuilder& proof) const;

 private:
  struct Axiom {
    OpId read;
    TxnId writer;  // none: the read is from one of its candidates; otherwise: if from this one, it counts
    bool shows = false;  // if the reader counts, so does the writer
  };

  Var add(Literal literal);
  Lit counting(TxnId t);
  void add_read(const OpenRead& read, std::span<const std::uint32_t> rank);
  std::int64_t distance(const OpenRead& read, VersionId v, std::span<const std::uint32_t> rank) const;
  void add_shown(const PossibleOrder& shown);

  const History& h_;
  const ReadFacts& facts_;
  LikelyWriters preference_;
  Solver solver_;
  std::vector<Literal> meaning_;  // by variable: of its positive literal
  std::vector<Var> first_;        // by open read: the variable of its first candidate
  std::unordered_map<TxnId, Var> counting_;
  std::unordered_map<ClauseId, Axiom> axioms_;
};

}  // namespace assay
