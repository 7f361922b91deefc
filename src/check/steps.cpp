#include "check/steps.h"

#include <algorithm>

#include "base/contract.h"

namespace assay {

using Kind = EdgeCause::Kind;

namespace {

// The list read that by itself orders the two writers, if one does.
OpId list_shown(EdgeCause cause) {
  if (cause.kind == Kind::Observed) return cause.op;
  return cause.kind == Kind::Exclusive ? cause.shown_by : OpId::none();
}

Point point(const Points& points, std::uint32_t node) { return {points.txn(node), points.is_commit(node)}; }

// Whether a run of edges goes on with the next one.
bool goes_on(const Step& run, const Step& next) {
  if (run.cause.kind == Kind::Clock) return true;
  const OpId list = list_shown(next.cause);
  return !list.is_none() && list_shown(run.cause) == list;
}

}  // namespace

std::vector<Step> join_steps(std::vector<Step> edges, const Points& points) {
  std::ranges::rotate(edges, std::ranges::find_if(edges, [&](const Step& s) { return points.is_point(s.edge.from); }));
  std::vector<Step> path;
  for (const Step& next : edges) {
    if (next.cause.kind == Kind::Own) continue;
    if (path.empty() || !goes_on(path.back(), next)) {
      path.push_back(next);
      continue;
    }
    Step& run = path.back();
    run.edge.to = next.edge.to;
    if (run.cause.kind == Kind::Clock) run.cause = next.cause;
    if (run.cause.kind == Kind::RealTime && points.txn(run.edge.from) == points.txn(run.edge.to)) path.pop_back();
  }
  return path;
}

LineId fact_line(ProofBuilder& proof, const Points& points, const Step& step) {
  const TxnId from = points.txn(step.edge.from), to = points.txn(step.edge.to);
  const EdgeCause cause = step.cause;
  switch (cause.kind) {
    case Kind::Session: return proof.session(from, to);
    case Kind::Reads: return proof.reads(cause.op);
    case Kind::Overwritten: return proof.overwritten_fact(cause.op, to, cause.shown_by);
    case Kind::Observed: return proof.observed(cause.op, from, to);
    case Kind::RealTime: return proof.realtime(point(points, step.edge.from), point(points, step.edge.to));
    case Kind::Exclusive: return proof.exclusive_fact(cause.op, from, to, cause.shown_by);
    default: break;
  }
  ASSAY_REQUIRE(false && "the cause of a fact");
  return 0;
}

}  // namespace assay
