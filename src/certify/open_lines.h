// The lines of a proof that later ones may refer to.
//
// A stack with increasing numbers: the first supposition of a scope marks a place, and closing the scope cuts
// the stack off there and leaves a clause behind. A line is found by binary search.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "certify/reads.h"
#include "verdict/proof.h"

namespace assay {

struct PointEdge {
  Point from, to;
};

struct OpenLine {
  LineId id;
  Rule kind;
  std::optional<Literal> literal{};  // what it establishes
  std::optional<PointEdge> edge{};   // which that says
  bool causal = false;               // an edge made of session order and reads only
  std::vector<Literal> clause{};

  // Whether it says whom a read is from.
  bool is_source() const { return literal && literal->kind == Rule::From; }
};

class OpenLines {
 public:
  OpenLines(const Reads& reads, bool snapshots) : reads_(reads), snapshots_(snapshots) {}

  void open(const ProofLine& line, const Literal& literal, bool causal = false);
  // A clause of one literal establishes it.
  void open_clause(const ProofLine& line, std::vector<Literal> clause);

  Result<const OpenLine*> find(LineId id) const;
  Result<PointEdge> edge(LineId id) const;
  // By definition, or because an open line says so.
  bool counts(TxnId t) const { return reads_.counts(t) || is_established(Literal::counts(t)); }
  bool took(OpId conditional_write) const { return is_established(Literal::took(conditional_write)); }
  bool left(OpId conditional_write) const { return is_established(Literal::left(conditional_write)); }
  // The literals of a clause that no open line refutes.
  Result<std::vector<Literal>> unrefuted(LineId clause) const;

  void suppose(const ProofLine& line, const Literal& literal);
  // Ends the scope; the closing line becomes the clause of what was supposed. False if there was no scope.
  bool close(const ProofLine& line);

 private:
  struct Hash {
    std::size_t operator()(const Literal& literal) const;
  };

  void push(OpenLine line);
  void pop();
  template <class Visit>
  void each_said(const Literal& literal, Visit visit) const;
  bool is_established(const Literal& literal) const { return known_.contains(literal); }
  bool is_refuted(const Literal& literal) const;

  const Reads& reads_;
  const bool snapshots_;
  std::vector<OpenLine> open_;
  std::unordered_map<Literal, std::uint32_t, Hash> known_;    // how many open lines say so
  std::unordered_map<std::uint32_t, std::uint32_t> sources_;  // by read: how many say whom it is from
  std::vector<Literal> supposed_;                             // in the open scope
  std::size_t scope_ = 0;                                     // where it begins in open_
};

}  // namespace assay
