#include "check/readable_proof.h"

#include <algorithm>
#include <utility>

#include "check/likely_outcomes.h"
#include "history/truths.h"

namespace assay {
namespace {

// The conditional writes of the keys that the proof mentions.
std::vector<Invisible> rows_in(const Proof& proof, const Subject& subject) {
  const History& items = subject.items.history;
  std::vector<bool> is_spoken_of(items.key_count());
  for (const ProofLine& line : proof)
    if (!line.op.is_none()) is_spoken_of[items.key(line.op).index()] = true;
  std::vector<Invisible> rows;
  std::ranges::copy_if(subject.items.completion.rows, std::back_inserter(rows),
                       [&](const Invisible& row) { return is_spoken_of[row.key.index()]; });
  return rows;
}

// Judges again with assumed outcomes for these rows instead of conditional writes.
Result<StatementVerdict> judge_assuming(RefinementLoop& loop, Level level, const Supposition& without_rows,
                                        const std::vector<Truth>& assumed, const std::vector<Truth>& likely,
                                        const std::vector<Invisible>& rows) {
  std::vector<Truth> of_rows;
  std::ranges::copy_if(likely, std::back_inserter(of_rows), [&](const Truth& outcome) {
    return find_truth(assumed, outcome.row()) || std::ranges::binary_search(rows, outcome.row());
  });
  auto subject = loop.make(with_reads(assuming(without_rows, std::move(of_rows)), rows));
  if (!subject) return std::move(subject).error();
  auto verdict = loop.judge_once(level, **subject);
  if (!verdict) return std::move(verdict).error();
  return StatementVerdict{std::move(*verdict), std::move(*subject)};
}

}  // namespace

Result<StatementVerdict> with_readable_proof(RefinementLoop& loop, Level level, StatementVerdict violated,
                                             const Supposition& last) {
  const StatementFacts& facts = loop.facts();
  const std::vector<Truth> assumed = violated.subject->supposition.assumed;
  Case certified = case_of(violated);
  const std::vector<Invisible> of_proof = rows_in(certified.proof, *violated.subject);
  violated.subject.reset();  // free its memory
  std::vector<Truth> likely = likely_outcomes(facts, {});
  if (auto fitting = completed(facts, likely, assumed, {})) likely = std::move(*fitting);
  const auto judge_with = [&](const std::vector<Invisible>& rows) {
    return judge_assuming(loop, level, deferring(last, {}), assumed, likely, rows);
  };
  auto again = judge_with(of_proof);
  // The proof may take a transaction for aborted because of a row that no line mentions.
  if (again && std::holds_alternative<Holds>(again->verdict)) again = judge_with(certified.completion.rows);
  if (!again) return again;
  if (!std::holds_alternative<Violated>(again->verdict)) {
    const auto* stopped = std::get_if<Undecided>(&again->verdict);
    return StatementVerdict{
        Undecided{(stopped ? stopped->why + "; " : "") + "it is violated, but no story tells why"}};
  }
  again->other_cases = std::move(violated.other_cases);
  again->certified = std::move(certified);
  return again;
}

}  // namespace assay
