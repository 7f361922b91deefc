#include "check/supposition.h"
#include "history/truths.h"

#include <utility>

namespace assay {
namespace {

std::vector<Invisible> rows_of(const std::vector<Truth>& outcomes) {
  std::vector<Invisible> rows;
  for (const Truth& outcome : outcomes) rows.push_back(outcome.row());
  return rows;
}

}  // namespace

Supposition with_reads(Supposition supposition, const std::vector<Invisible>& more) {
  supposition.reads = merged(supposition.reads, more);
  return supposition;
}

Supposition with_conditional(Supposition supposition, const std::vector<Invisible>& more) {
  supposition.conditional = merged(supposition.conditional, more);
  return supposition;
}

Supposition with_certain(Supposition supposition, const std::vector<Truth>& more) {
  supposition.certain = merged(supposition.certain, more);
  return supposition;
}

Supposition without_certain(Supposition supposition) {
  supposition.certain.clear();
  return supposition;
}

Supposition with_other_outcomes(Supposition supposition, std::vector<Truth> assumed) {
  supposition.assumed = std::move(assumed);
  return supposition;
}

Supposition assuming(Supposition supposition, std::vector<Truth> assumed, std::vector<Truth> fixed) {
  supposition.assumed = std::move(assumed);
  supposition.fixed = std::move(fixed);
  supposition.certain.clear();
  return supposition;
}

Supposition deferring(Supposition supposition, std::vector<Invisible> rows) {
  Supposition deferring;
  deferring.reads = std::move(supposition.reads);
  deferring.deferred = std::move(rows);
  return deferring;
}

std::vector<Invisible> decided_by_execution(const Supposition& supposition) {
  return without(supposition.deferred, rows_of(supposition.certain));
}

Completion completion_of(const StatementFacts& facts, const Supposition& supposition) {
  Completion completion{supposition.reads,
                        with_known(facts.outcomes, merged(supposition.assumed, supposition.certain)),
                        without(supposition.conditional, rows_of(supposition.certain))};
  std::erase_if(completion.reads, [&](const Invisible& read) {
    return facts.history.kind(read.op) == OpKind::UpdateMaybe && !find_truth(completion.truths, read);
  });
  return completion;
}

}  // namespace assay
