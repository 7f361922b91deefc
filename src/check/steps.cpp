#include "check/steps.h"

#include "base/contract.h"

namespace assay {

using Kind = EdgeCause::Kind;

namespace {

// The list read that by itself orders the two writers, if one does.
OpId list_shown(EdgeCause cause) {
  if (cause.kind == Kind::Observed) return cause.op;
  return cause.kind == Kind::Exclusive ? cause.shown_by : OpId::none();
}

}  // namespace

void add_step(std::vector<Step>& path, const Step& next) {
  if (next.cause.kind == Kind::Own) return;
  const OpId list = list_shown(next.cause);
  if (!path.empty() && !list.is_none() && list_shown(path.back().cause) == list) path.back().edge.to = next.edge.to;
  else path.push_back(next);
}

LineId fact_line(ProofBuilder& proof, const Points& points, const Step& step) {
  const TxnId from = points.txn(step.edge.from), to = points.txn(step.edge.to);
  const EdgeCause cause = step.cause;
  switch (cause.kind) {
    case Kind::Session: return proof.session(from, to);
    case Kind::Reads: return proof.reads(cause.op);
    case Kind::Overwritten: return proof.overwritten_fact(cause.op, to, cause.shown_by);
    case Kind::Observed: return proof.observed(cause.op, from, to);
    case Kind::Exclusive: return proof.exclusive_fact(cause.op, from, to, cause.shown_by);
    default: break;
  }
  ASSAY_REQUIRE(false && "the cause of a fact");
  return 0;
}

}  // namespace assay
