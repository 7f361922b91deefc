#include "check/steps.h"

#include <algorithm>

#include "base/contract.h"

namespace assay {

namespace {

// The list read that by itself orders the two writers, or none.
OpId list_shown(EdgeCause cause) {
  if (cause.rule == Rule::Observed) return cause.op;
  return cause.rule == Rule::Exclusive ? cause.shown_by : OpId::none();
}

Point point(const Points& points, std::uint32_t node) { return {points.txn(node), points.is_commit(node)}; }

// Whether the next edge belongs to the same run.
bool goes_on(const Step& run, const Step& next, const Points& points) {
  if (!points.is_point(run.edge.to)) return true;
  const OpId list = list_shown(next.cause);
  return !list.is_none() && list_shown(run.cause) == list;
}

bool is_session_or_read(const Step& step, std::size_t given) {
  return (step.cause.rule == Rule::Session || step.cause.rule == Rule::Reads) && step.number < given;
}

// If the last steps of the path lead from a transaction to one that reads from it, replaces them by the read.
void take_short_cut(std::vector<Step>& path, const ReadFacts& facts, const Points& points,
                    std::size_t given) {
  const TxnId reader = points.txn(path.back().edge.to);
  std::optional<std::size_t> first;
  const ReadFact* by = nullptr;
  for (std::size_t i = path.size(); i-- > 0 && is_session_or_read(path[i], given);) {
    const auto read = std::ranges::find(facts.of(reader), points.txn(path[i].edge.from), &ReadFact::writer);
    if (read == facts.of(reader).end()) continue;
    first = i;
    by = &*read;
  }
  if (!first || (path.back().cause.rule == Rule::Reads && *first + 1 == path.size())) return;
  path.resize(*first + 1);
  path.back().edge.to = points.snapshot(reader);
  path.back().cause = {Rule::Reads, by->op};
}

// Rotates a cycle so that it begins in a point, if possible one where take_short_cut() could not have joined
// the last steps with the first.
void begin_best(std::vector<Step>& cycle, const Points& points, std::size_t given) {
  std::size_t best = cycle.size();
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    if (!points.is_point(cycle[i].edge.from)) continue;
    const Step& last = cycle[(i + cycle.size() - 1) % cycle.size()];
    const bool goes_through = last.cause.rule == Rule::Own || is_session_or_read(last, given);
    if (best == cycle.size() || !goes_through) best = i;
    if (!goes_through) break;
  }
  std::ranges::rotate(cycle, cycle.begin() + static_cast<std::ptrdiff_t>(best));
}

}  // namespace

std::vector<Step> join_steps(std::vector<Step> edges, const ReadFacts& facts, const Points& points,
                             std::size_t given) {
  if (!edges.empty() && edges.front().edge.from == edges.back().edge.to) begin_best(edges, points, given);
  std::vector<Step> path;
  for (const Step& next : edges) {
    if (next.cause.rule == Rule::Own) continue;
    if (path.empty() || !goes_on(path.back(), next, points)) {
      path.push_back(next);
      if (is_session_or_read(next, given)) take_short_cut(path, facts, points, given);
      continue;
    }
    Step& run = path.back();
    run.edge.to = next.edge.to;
    if (run.cause.rule == Rule::Realtime && points.is_point(run.edge.to) &&
        points.txn(run.edge.from) == points.txn(run.edge.to))
      path.pop_back();
  }
  return path;
}

LineId fact_line(ProofBuilder& proof, const Points& points, const Step& step) {
  const TxnId from = points.txn(step.edge.from), to = points.txn(step.edge.to);
  const EdgeCause cause = step.cause;
  switch (cause.rule) {
    case Rule::Session: return proof.session(from, to);
    case Rule::Reads: return proof.reads(cause.op);
    case Rule::Overwritten: return proof.overwritten_fact(cause.op, to, cause.shown_by);
    case Rule::Observed: return proof.observed(cause.op, from, to);
    case Rule::Realtime: return proof.realtime(point(points, step.edge.from), point(points, step.edge.to));
    case Rule::Exclusive: return proof.exclusive_fact(cause.op, from, to, cause.shown_by);
    default: break;
  }
  ASSAY_REQUIRE(false && "the cause of a fact");
  return 0;
}

}  // namespace assay
