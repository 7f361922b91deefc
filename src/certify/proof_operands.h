// Looks up the operands of a proof line, and checks that the line may name them: transactions that may count,
// reads with their possible writers, open edges. The rules in proof_lines.cpp use this.
#pragma once

#include <span>
#include <string>

#include "certify/open_lines.h"
#include "certify/reads.h"
#include "verdict/proof.h"

namespace assay {

std::string called(Point p);

class ProofOperands {
 protected:
  ProofOperands(const History& history, Level level)
      : h_(history),
        level_(level),
        rules_(row(level).points),
        reads_(Reads::of_what_must_have_happened(history, level)),
        lines_(reads_, rules_.two_points) {}

  // The writer of a read, and the edges that a line names besides the line that names the writer.
  struct Operands {
    TxnId writer;  // none() is the initial transaction
    std::span<const LineId> edges;
  };

  static Point c(TxnId t) { return {t, true}; }
  Point s(TxnId t) const { return {t, !rules_.two_points}; }

  Result<void> exists(TxnId t) const;
  Result<void> counted(TxnId t) const;
  // Whether the transaction writes the key in every execution, or because an open line says that its
  // conditional write took place.
  bool writes(TxnId t, KeyId key) const;
  Result<void> conditional(OpId op) const;
  Result<TxnId> owner(OpId op) const;
  Result<TxnId> counted_owner(OpId op) const;
  // Checks the read; its transaction need not count.
  Result<void> external_read(OpId op) const;
  Result<void> possible_writer(OpId op, TxnId writer) const;
  Result<TxnId> only_writer(OpId op) const;
  Result<Operands> operands(const ProofLine& line) const;
  // For lines about a read, its writer, and another writer of the key.
  Result<Operands> operands_besides(const ProofLine& line, TxnId other) const;
  Result<void> one_edge(std::span<const LineId> edges, Point from, Point to) const;
  // Checks that the one edge puts line.a into the view of the reader, as the level defines it.
  Result<void> in_view(const ProofLine& line, std::span<const LineId> edges) const;
  Result<PointEdge> joined(const ProofLine& line, bool& causal) const;
  // Checks that the level has the line's two points.
  Result<void> two_points(const ProofLine& line) const;

  const History& h_;
  const Level level_;
  const PointRules rules_;
  const Reads reads_;
  OpenLines lines_;
};

}  // namespace assay
