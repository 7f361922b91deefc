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
#include "verdict/proof.h"

namespace assay {

struct Edge {
  Point from, to;
};

// cA < cB.
struct Literal {
  TxnId a, b;
};

struct OpenLine {
  LineId id;
  ProofLine::Kind kind;
  OpId op{};            // of a Reads line
  bool causal = false;  // made of Session and Reads lines only
  std::optional<Edge> edge{};
  std::vector<Literal> clause{};
};

class OpenLines {
 public:
  void open(OpenLine line);
  OpenLine& last() { return open_.back(); }

  Result<const OpenLine*> find(LineId id) const;
  Result<Edge> edge(LineId id) const;
  // The literals of a clause of which no open line says the opposite.
  Result<std::vector<Literal>> unrefuted(LineId clause) const;

  // The line that is opened next is this supposition.
  void suppose(Literal literal);
  // Ends the scope; the closing line becomes its clause. False if there was no scope.
  bool close(const ProofLine& line);

 private:
  std::vector<OpenLine> open_;
  std::unordered_map<std::uint64_t, std::uint32_t> known_;  // how many open lines say cA < cB
  std::vector<Literal> supposed_;                           // in the open scope
  std::size_t scope_ = 0;                                   // where it begins in open_
};

}  // namespace assay
