#include "check/refinement_loop.h"

#include <algorithm>
#include <utility>

namespace assay {
namespace {

constexpr std::size_t kMorePerRound = 4;
constexpr std::size_t kRoundsOfOtherOutcomes = 6;
constexpr std::size_t kFewRows = 20;  // fewer than one in this many is few

Conclusion undecided(std::string why, std::string_view how_far, const std::shared_ptr<Subject>& subject) {
  why.append("; ").append(how_far);
  return {StatementVerdict{Undecided{std::move(why)}, subject}, subject->supposition};
}

bool uses_shortcuts(const Subject& subject) {
  return subject.checker.has_learnt() || !subject.supposition.certain.empty();
}

std::string_view without_execution(const Subject& subject) {
  return subject.checker.has_learnt()
             ? "no execution had been found that explains all predicates"
             : "no execution had been found with what is certain about update-maybes";
}

}  // namespace

// The limits of the next refinement.
struct RefinementLoop::Pace {
  std::size_t per_writer = 1;
  std::size_t rounds_of_other_outcomes = 0;
  bool may_be_certain = true;  // derived outcomes of conditional writes may count as certain

  RefineLimits limits() const { return {per_writer, rounds_of_other_outcomes > 0}; }
};

RefinementLoop::RefinementLoop(StatementFacts facts, CheckOptions options)
    : facts_(std::move(facts)), options_(std::move(options)) {
  options_.will_learn = true;
}

void RefinementLoop::reset_effort() {
  effort_ = {};
  effort_.executions = 0;
}

Result<std::shared_ptr<Subject>> RefinementLoop::make(Supposition supposition) const {
  return make_subject(facts_, std::move(supposition), options_);
}

Result<Verdict> RefinementLoop::judge_once(Level level, Subject& subject) {
  auto verdict = subject.checker.judge(level);
  const CheckEffort before = std::exchange(effort_, subject.checker.effort());
  effort_.choices += before.choices;
  effort_.decisions += before.decisions;
  effort_.conflicts += before.conflicts;
  effort_.executions = before.executions + 1;
  effort_.invisible = subject.supposition.reads.size();
  effort_.rows = std::max(before.rows, subject.supposition.conditional.size());
  return verdict;
}

Result<Conclusion> RefinementLoop::judge(Level level, std::shared_ptr<Subject> subject) {
  Pace pace;
  if (!subject->supposition.assumed.empty()) pace.rounds_of_other_outcomes = kRoundsOfOtherOutcomes;
  while (true) {
    auto verdict = judge_once(level, *subject);
    if (!verdict) return std::move(verdict).error();
    const auto* holds = std::get_if<Holds>(&*verdict);
    if (holds == nullptr && !uses_shortcuts(*subject)) {
      subject->is_answered = true;
      return Conclusion{StatementVerdict{std::move(*verdict), subject}, subject->supposition};
    }
    if (holds == nullptr) {
      if (budget().is_spent()) return undecided(budget().why(), without_execution(*subject), subject);
      auto again = without_shortcut(*subject, pace);
      if (!again) return std::move(again).error();
      subject = std::move(again).value();
      continue;
    }
    auto refinement = refine(facts_, *subject, level, *holds, pace.limits(), budget());
    if (!refinement) return std::move(refinement).error();
    if (auto* explained = std::get_if<Explained>(&*refinement))
      return Conclusion{StatementVerdict{std::move(*verdict), subject, std::move(explained->outcomes)},
                        subject->supposition};
    if (budget().is_spent())
      return undecided(budget().why(), "the execution at hand does not explain all predicates", subject);
    if (has_total_order(level)) options_.start = holds->order;
    if (auto* more = std::get_if<MustAssume>(&*refinement))
      return Conclusion{std::move(*more), subject->supposition};
    auto next = refined(level, std::move(subject), holds->order, *refinement, pace);
    if (!next) return std::move(next).error();
    subject = std::move(next).value();
  }
}

// Drops a shortcut, so that the next judgement can give a proof.
Result<std::shared_ptr<Subject>> RefinementLoop::without_shortcut(const Subject& subject, Pace& pace) const {
  if (subject.checker.has_learnt()) return make(subject.supposition);
  pace.may_be_certain = false;
  return make(without_certain(subject.supposition));
}

// The subject of the next round.
Result<std::shared_ptr<Subject>> RefinementLoop::refined(Level level, std::shared_ptr<Subject> subject,
                                                         const Order& found, const Refinement& refinement,
                                                         Pace& pace) const {
  const Supposition& now = subject->supposition;
  if (const auto* other = std::get_if<OtherOutcomes>(&refinement)) {
    --pace.rounds_of_other_outcomes;
    return make(with_other_outcomes(now, other->assumed));
  }
  pace.per_writer *= kMorePerRound;
  if (const auto* more = std::get_if<MoreConditional>(&refinement)) {
    auto next = make(with_reads(with_conditional(now, more->rows), more->reads));
    return next && pace.may_be_certain ? with_certain_outcomes(level, *next) : std::move(next);
  }
  if (std::holds_alternative<NotCertain>(refinement)) {
    pace.may_be_certain = false;
    return make(without_certain(now));
  }
  const std::vector<Invisible>& reads = std::get<MoreReads>(refinement).reads;
  if (has_total_order(level) && learn(facts_, *subject, found, reads)) return subject;
  return make(with_reads(now, reads));
}

// Derives outcomes of conditional writes. Each round can help to decide others, so rounds continue until one
// decides few.
Result<std::shared_ptr<Subject>> RefinementLoop::with_certain_outcomes(
    Level level, std::shared_ptr<Subject> subject) const {
  while (true) {
    const auto decided = subject->checker.decided_writes(level);
    if (decided.empty()) return subject;
    std::vector<Truth> more;
    for (const auto& [op, took] : decided)
      more.push_back({subject->items.origin(op), subject->items.history.key(op), took});
    std::ranges::sort(more);
    auto next = make(with_certain(subject->supposition, more));
    if (!next) return next;
    subject = std::move(next).value();
    const Supposition& now = subject->supposition;
    if (more.size() * kFewRows < now.conditional.size() - now.certain.size()) return subject;
  }
}

}  // namespace assay
