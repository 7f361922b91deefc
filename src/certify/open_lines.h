// The open lines of a proof: those that later lines may refer to.
//
// They form a stack with increasing numbers. The first supposition of a scope marks a position; closing the
// scope removes the lines from there on, and leaves a clause. A line is found by binary search.
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
  std::optional<PointEdge> edge{};   // the edge that the literal says, if any
  bool causal = false;               // the edge consists of session order and reads only
  std::vector<Literal> clause{};

  // Whether it names the writer of a read.
  bool is_source() const { return literal && literal->kind == Rule::From; }
};

class OpenLines {
 public:
  OpenLines(const Reads& reads, bool snapshots) : reads_(reads), snapshots_(snapshots) {}

  void open(const ProofLine& line, const Literal& literal, bool causal = false);
  // A clause of one literal establishes the literal.
  void open_clause(const ProofLine& line, std::vector<Literal> clause);

  Result<const OpenLine*> find(LineId id) const;
  Result<PointEdge> edge(LineId id) const;
  // Whether the transaction counts in every execution, or because an open line says so.
  bool counts(TxnId t) const { return reads_.counts(t) || is_established(Literal::counts(t)); }
  bool took(OpId conditional_write) const { return is_established(Literal::took(conditional_write)); }
  bool left(OpId conditional_write) const { return is_established(Literal::left(conditional_write)); }
  // The literals of a clause that no open line refutes.
  Result<std::vector<Literal>> unrefuted(LineId clause) const;

  void suppose(const ProofLine& line, const Literal& literal);
  // Closes the scope; the closing line becomes the clause of the contraries of its suppositions. Returns
  // false if no scope is open.
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
  std::unordered_map<Literal, std::uint32_t, Hash> known_;    // how many open lines establish it
  std::unordered_map<std::uint32_t, std::uint32_t> sources_;  // by read: how many lines name its writer
  std::vector<Literal> supposed_;                             // the suppositions of the open scope
  std::size_t scope_ = 0;                                     // where the scope begins in open_
};

}  // namespace assay
