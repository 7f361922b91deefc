// Writes the proof that a weak level is violated: from a cycle in its commit order, or from a stale read of
// an initial version.
//
// An edge that a view added is justified by what puts the writer into the reader's view: a read, session
// order, or a path of both, which is searched for only here.
#pragma once

#include "isolation/level.h"
#include "saturation/commit_order.h"
#include "verdict/proof_builder.h"
#include "verdict/verdict.h"

namespace assay {

class WeakProof {
 public:
  WeakProof(const History& history, const ReadFacts& facts, View view, const CommitOrder& order,
            ProofBuilder proof)
      : h_(history), facts_(facts), view_(view), order_(order), proof_(std::move(proof)) {}

  // To be called once: of_cycle() with the numbers of the edges, or of_stale_read() for CommitOrder::stale.
  Violated of_cycle(std::span<const std::uint32_t> cycle, Anomaly anomaly);
  Violated of_stale_read(Anomaly anomaly);

 private:
  LineId line(const WeakCause& cause);
  LineId view(const WeakCause& cause);
  LineId causal_path(TxnId from, TxnId to);
  Violated violated(Anomaly anomaly);

  static constexpr std::uint32_t kNone = UINT32_MAX;

  const History& h_;
  const ReadFacts& facts_;
  const View view_;
  const CommitOrder& order_;
  ProofBuilder proof_;
};

}  // namespace assay
