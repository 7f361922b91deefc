#include "check/check.h"

#include "base/contract.h"
#include "check/weak_judge.h"
#include "isolation/real_time.h"

namespace assay {
namespace {

// The violation by a read without candidates, or by two list reads that show two orders of one key.
Violated violated_by(const WrongRead& wrong, ProofBuilder proof) {
  if (wrong.against.is_none()) proof.wrong_read(wrong.op);
  else
    proof.refute({proof.observed(wrong.against, wrong.first, wrong.other),
                  proof.observed(wrong.op, wrong.other, wrong.first)});
  return {wrong.anomaly, false, proof.take()};
}

}  // namespace

Result<void> Checker::can_judge(Level level) const {
  if (!row(level).needs_instants()) return {};
  ASSAY_TRY(require_instants(j_.history));
  return row(level).session_order() ? require_sessions_in_time(j_.history, j_.options.skew) : Result<void>{};
}

PointRules Checker::rules_of(Level level) const {
  PointRules rules = row(level).points;
  rules.real_time.skew = j_.options.skew;
  return rules;
}

Result<Verdict> Checker::judge(Level level) {
  ASSAY_TRY(can_judge(level));
  j_.effort = {};
  verdicts_.forget_undecided();
  auto verdict = judge_possible(level);
  if (!verdict && verdict.error().is_limit) return Verdict(j_.out_of_budget("no read had been checked yet"));
  return verdict;
}

Result<Verdict> Checker::judge_possible(Level level) {
  if (reads_repeat(level)) ASSAY_TRY(j_.facts.find(true));
  if (const auto& facts = j_.facts.repeatable();
      !reads_repeat(level) && facts && (!facts->open.empty() || facts->has_sets))
    ASSAY_TRY(j_.facts.find(false));  // implied() names the writers of its reads
  auto verdict = verdicts_.implied(level, j_.facts);
  if (verdict) {
    j_.effort.decided_by = "another level";
  } else {
    auto judged = judge_reads(level);
    if (!judged) return std::move(judged).error();
    verdict = std::move(judged).value();
    if (auto without = violated_without_clocks(level, *verdict)) verdict = std::move(without);
  }
  return verdicts_.add(level, std::move(*verdict));
}

// If the level without real time is violated too, its proof explains the violation without clocks. That is
// worth little work: judging that level may take far longer than this verdict did.
std::optional<Verdict> Checker::violated_without_clocks(Level level, const Verdict& verdict) {
  const auto* violated = std::get_if<Violated>(&verdict);
  if (!violated || !uses_real_time(violated->proof) || !j_.facts.repeatable()->open.empty())
    return std::nullopt;
  const CheckEffort effort = j_.effort;
  j_.thorough = false;
  const auto* weaker = std::get_if<Violated>(&remembered(without_real_time(level)));
  j_.thorough = true;
  verdicts_.forget_undecided();
  if (!weaker) {
    j_.effort = effort;
    return std::nullopt;
  }
  return unnamed(adapt(weaker->proof, proof_builder(j_.history, level, *j_.facts.repeatable())));
}

// Checks each read by itself first.
Result<Verdict> Checker::judge_reads(Level level) {
  if (j_.budget.is_spent()) return Verdict(j_.out_of_budget("no read had been checked yet"));
  ASSAY_TRY(j_.facts.find(reads_repeat(level)));
  if (!reads_repeat(level) && !j_.facts.each_read()->open.empty()) ASSAY_TRY(j_.facts.find(true));
  const ReadFacts& facts = j_.facts.at(level);
  if (!facts.wrong.empty()) {
    j_.effort.decided_by = "a read that nothing explains";
    return Verdict(violated_by(facts.wrong.front(), proof_builder(j_.history, level, facts)));
  }
  if (j_.budget.is_spent())
    return Verdict(j_.out_of_budget("all reads are of committed values, nothing was ordered yet"));
  const bool at_once = is_weak(level) && !sees_the_past(level) && facts.open.empty();
  return at_once ? judge_weak(level) : judge_order(level);
}

// If writers have to be chosen, an order of points that explains the reads chooses them well enough for any
// weak level.
Verdict Checker::judge_weak(Level level) {
  const auto& repeatable = j_.facts.repeatable();
  j_.effort.decided_by = "saturation";
  if (!j_.facts.at(level).open.empty() && repeatable && repeatable->wrong.empty())
    if (const auto* holds = std::get_if<Holds>(&remembered(stand_in(level))))
      return holds_at(level, j_.facts, *holds);
  return assay::judge_weak(level, j_);
}

Verdict Checker::judge_order(Level level) {
  const auto& repeatable = j_.facts.repeatable();
  if (!reads_repeat(level) && (!repeatable || !repeatable->wrong.empty())) return judge_weak(level);
  const PointRules rules = rules_of(level);
  if (auto verdict = judge_stronger_first(level)) {
    j_.effort.decided_by = "a stronger level";
    return std::move(*verdict);
  }
  if (points_.can_go_on(level)) return points_.go_on();
  if (rules.real_time.any()) return points_.judge_in_time(level, rules);
  auto serial = points_.guess_serial(rules.session_order);
  if (auto holds = points_.explained_by(serial, false)) {
    j_.effort.decided_by = "a serial execution";
    return holds_at(level, j_.facts, std::move(*holds));
  }
  if (j_.budget.is_spent())
    return j_.out_of_budget(
        "all reads are of committed values, and a serial execution that explains them was not found at once");
  return is_weak(level) ? judge_weak(level) : points_.judge(level, rules, std::move(serial));
}

// The verdict of a level, which is judged now unless it was before.
const Verdict& Checker::remembered(Level level) {
  const Verdict* known = verdicts_.find(level);
  return known ? *known : verdicts_.add(level, judge_order(level));
}

// Judges some levels by a stronger one first. An execution at the stronger level explains this one too. A
// level without session order is also violated if the same level with session order is, by a proof that does
// not use session order. A weak level costs no more than a stronger one, so it is judged directly.
std::optional<Verdict> Checker::judge_stronger_first(Level level) {
  if (is_weak(level)) return std::nullopt;
  const auto with_sessions = with_session_order(level);
  if (orders_writers_only(level) && with_sessions == level) {
    const Verdict& in_total_order = remembered(stand_in(level));
    if (const auto* holds = std::get_if<Holds>(&in_total_order)) return holds_at(level, j_.facts, *holds);
  } else if (with_sessions && with_sessions != level) {
    if (!can_judge(*with_sessions)) return std::nullopt;
    const Verdict& stronger = remembered(*with_sessions);
    const auto* violated = std::get_if<Violated>(&stronger);
    if (!violated) return stronger;
    if (!uses_session_order(violated->proof)) return unnamed(violated->proof);
  }
  return std::nullopt;
}

std::vector<std::pair<OpId, bool>> Checker::decided_writes(Level level) {
  if (!j_.facts.find(true)) return {};
  const ReadFacts& facts = *j_.facts.repeatable();
  if (!facts.wrong.empty() || facts.conditional.empty()) return {};
  return points_.decided_writes(level, rules_of(level));
}

bool Checker::learn(const Order& execution, std::span<const NewRead> reads) {
  ASSAY_REQUIRE(j_.facts.repeatable().has_value());
  const bool is_possible = points_.learn(execution, reads);
  verdicts_.forget_executions();
  return is_possible;
}

}  // namespace assay
