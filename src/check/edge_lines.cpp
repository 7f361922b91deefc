#include "check/edge_lines.h"

#include "base/contract.h"

namespace assay {

std::vector<Step> EdgeLines::steps(std::span<const std::uint32_t> edges) const {
  std::vector<Step> path;
  for (const std::uint32_t number : edges)
    path.push_back({search_.theory().edge(number), search_.cause(number), number});
  return known_.join(std::move(path));
}

void EdgeLines::state_facts(const std::vector<Step>& path) {
  for (const Step& step : path) {
    if (is_known(step)) known_.state(std::span(&step, 1), proof_);
    else if (is_late_fact(step)) line(step);
  }
}

std::vector<LineId> EdgeLines::lines(const std::vector<Step>& path) {
  std::vector<LineId> result;
  for (const Step& step : path) result.push_back(line(step));
  return result;
}

LineId EdgeLines::line(const Step& step) {
  if (is_known(step)) return known_.line(step, proof_);
  if (is_late_fact(step)) return fact_line(proof_, points_, step);
  const Lit literal = search_.theory().literal(step.number);
  const LineId chosen = supposed_.line(literal);
  if (step.cause.rule == Rule::Realtime) return fact_line(proof_, points_, step);
  if (step.cause.rule == Rule::Observed) return shown(step);
  if (search_.choice(literal.var()).rule != Rule::Suppose) return chosen;
  const TxnId from = points_.txn(step.edge.from), to = points_.txn(step.edge.to);
  if (step.cause.rule == Rule::Suppose) return chosen;
  if (step.cause.rule == Rule::Overwritten) return proof_.overwritten(step.cause.op, to, chosen);
  ASSAY_ASSERT(step.cause.rule == Rule::Exclusive);
  return proof_.exclusive(known_.common_write(from, to), to, chosen);
}

// A list read shows this edge. If the writer of the first element counts only by supposition, the proof must
// derive that first.
LineId EdgeLines::shown(const Step& step) {
  const TxnId first = points_.txn(step.edge.from);
  if (!facts_.counts[first.index()] && !proof_.established(Literal::counts(first)))
    proof_.use(proof_.shows(step.cause.op, first));
  return fact_line(proof_, points_, step);
}

}  // namespace assay
