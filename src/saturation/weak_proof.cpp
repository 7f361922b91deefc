#include "saturation/weak_proof.h"

#include <algorithm>

namespace assay {

Violated WeakProof::of_cycle(std::span<const std::uint32_t> cycle, Anomaly anomaly) {
  std::vector<WeakCause> path;
  for (const std::uint32_t edge : cycle) {
    const WeakCause& next = order_.causes[edge];
    const bool same_list = next.rule == Rule::Observed && !path.empty() &&
                           path.back().rule == Rule::Observed && path.back().op == next.op;
    if (same_list) path.back().to = next.to;
    else path.push_back(next);
  }
  std::vector<LineId> lines;
  for (const WeakCause& cause : path) lines.push_back(line(cause));
  proof_.refute(std::move(lines));
  return violated(anomaly);
}

Violated WeakProof::of_stale_read(Anomaly anomaly) {
  proof_.stale(order_.stale->op, order_.stale->from, view(*order_.stale));
  return violated(anomaly);
}

LineId WeakProof::line(const WeakCause& cause) {
  if (cause.rule == Rule::Session) return proof_.session(cause.from, cause.to);
  if (cause.rule == Rule::Reads) return proof_.reads(cause.op);
  if (cause.rule == Rule::Observed) return proof_.observed(cause.op, cause.from, cause.to);
  return proof_.missed(cause.op, cause.from, view(cause));
}

// Why cause.from is in the view of cause.reader.
LineId WeakProof::view(const WeakCause& cause) {
  if (view_ == View::Past) return causal_path(cause.from, cause.reader);
  for (const ReadFact& read : facts_.of(cause.reader))
    if (read.writer == cause.from) return proof_.reads(read.op);
  return proof_.session(cause.from, cause.reader);
}

LineId WeakProof::causal_path(TxnId from, TxnId to) {
  const Digraph known(h_.transaction_count(), std::span(order_.edges).first(order_.known));
  std::vector<std::uint32_t> by(h_.transaction_count(), kNone), open{from.value};
  for (std::size_t i = 0; i < open.size() && by[to.index()] == kNone; ++i) {
    const auto successors = known.successors(open[i]);
    for (std::size_t j = 0; j < successors.size(); ++j)
      if (by[successors[j]] == kNone) {
        by[successors[j]] = known.edge(open[i], j);
        open.push_back(successors[j]);
      }
  }
  std::vector<LineId> lines;
  for (std::uint32_t at = to.value; at != from.value; at = order_.edges[by[at]].from)
    lines.push_back(line(order_.causes[by[at]]));
  std::ranges::reverse(lines);
  return proof_.path(std::move(lines));
}

Violated WeakProof::violated(Anomaly anomaly) {
  Proof proof = proof_.take();
  const bool by_session = uses_session_order(proof);
  return {anomaly, by_session, std::move(proof)};
}

}  // namespace assay
