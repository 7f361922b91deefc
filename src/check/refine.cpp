#include "check/refine.h"

#include <cstdint>
#include <optional>
#include <utility>

#include "base/contract.h"
#include "check/invisible.h"
#include "check/statement_views.h"
#include "history/truths.h"

namespace assay {
namespace {

// Replays the execution. At a level with a total order, the replay also decides the deferred rows.
Result<Replayed> replayed(const StatementFacts& facts, const Subject& subject, Level level,
                          const Holds& execution, std::size_t per_writer, Budget& budget) {
  if (has_total_order(level))
    return replay(facts.history, subject.items.completion.truths, decided_by_execution(subject.supposition),
                  execution.order, row(level).points.exclusive, per_writer, budget);
  auto reads = unexplained_reads(facts.history, subject.items, level, execution, per_writer, budget);
  if (!reads) return std::move(reads).error();
  return Replayed{std::move(reads).value(), {}, {}};
}

// Flips each assumed outcome where that alone corrects a wrong read. Returns nothing if there is no such
// outcome.
std::optional<std::vector<Truth>> other_outcomes(const History& history, const Supposition& supposition,
                                                 const std::vector<Invisible>& wrong) {
  std::vector<Truth> assumed = supposition.assumed;
  bool changed = false;
  for (const Invisible& row : wrong) {
    const auto outcome = std::ranges::lower_bound(assumed, row, {}, &Truth::row);
    if (outcome == assumed.end() || outcome->row() != row) continue;
    const bool is_counted = history.count(row.op).has_value();  // another row would have to change with it
    if (is_counted || find_truth(supposition.fixed, row) ||
        std::ranges::binary_search(supposition.reads, row))
      continue;
    outcome->took = !outcome->took;
    changed = true;
  }
  return changed ? std::optional(std::move(assumed)) : std::nullopt;
}

std::vector<Invisible> rows_of_keys(const std::vector<Invisible>& rows, const std::vector<KeyId>& keys) {
  std::vector<Invisible> of_keys;
  std::ranges::copy_if(rows, std::back_inserter(of_keys),
                       [&](const Invisible& row) { return std::ranges::binary_search(keys, row.key); });
  return of_keys;
}

}  // namespace

Result<Refinement> refine(const StatementFacts& facts, const Subject& subject, Level level,
                          const Holds& execution, RefineLimits limits, Budget& budget) {
  const Supposition& supposition = subject.supposition;
  auto found = replayed(facts, subject, level, execution,
                        limits.other_outcomes ? SIZE_MAX : limits.per_writer, budget);
  if (!found) return std::move(found).error();
  if (budget.is_spent()) return Refinement(NotReplayed{});
  if (found->broken.empty() && found->keys.empty()) return Refinement(Explained{std::move(found->truths)});
  if (limits.other_outcomes) {
    if (auto other = other_outcomes(facts.history, supposition, found->broken))
      return Refinement(OtherOutcomes{std::move(*other)});
    found = replayed(facts, subject, level, execution, limits.per_writer, budget);
    if (!found) return std::move(found).error();
    if (budget.is_spent()) return Refinement(NotReplayed{});
  }
  const std::vector<Invisible> contradicted = rows_of_keys(supposition.deferred, found->keys);
  if (auto rows = without(contradicted, facts.separate); !rows.empty())
    return Refinement(MustAssume{std::move(rows)});
  if (auto rows = without(contradicted, supposition.conditional); !rows.empty())
    return Refinement(MoreConditional{std::move(rows), std::move(found->broken)});
  if (!found->broken.empty()) return Refinement(MoreReads{std::move(found->broken)});
  ASSAY_REQUIRE(!supposition.certain.empty());
  return Refinement(NotCertain{});
}

}  // namespace assay
