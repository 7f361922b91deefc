#include "check/outcome_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/contract.h"
#include "check/fewer_assumptions.h"
#include "check/likely_outcomes.h"
#include "history/truths.h"

namespace assay {

Result<Conclusion> OutcomeCases::judge(Supposition supposition) {
  do {
    if (loop_.budget().is_spent())
      return Conclusion{StatementVerdict{Undecided{fmt::format(
                            "{}; {} cases of what update-maybes may have done were out of the question",
                            loop_.budget().why(), cases_.size())}},
                        std::move(supposition)};
    const std::vector<Truth> fixed = this->fixed();
    auto assumed = completed(loop_.facts(), preferred_, fixed, supposition.deferred);
    if (!assumed) continue;  // the fixed outcomes contradict a reported count
    if (const Case* known = known_case(*assumed)) {
      split(*known, fixed);
      continue;
    }
    auto judged = judge_case(assuming(std::move(supposition), std::move(*assumed), fixed));
    if (!judged || !judged->is_violated()) return judged;
    supposition = std::move(judged->last);
    rule_out(std::get<StatementVerdict>(std::move(judged->end)));
    split(cases_.back(), fixed);
  } while (next_branch());
  ASSAY_ASSERT(first_.has_value());  // truths_of() ensures that some outcomes satisfy all counts
  return Conclusion{all_ruled_out(), std::move(supposition)};
}

// Judges the level under the assumptions; a violation is returned with as few of them as possible.
Result<Conclusion> OutcomeCases::judge_case(Supposition supposition) {
  auto subject = loop_.make(std::move(supposition));
  if (!subject) return std::move(subject).error();
  const Level first = stand_in(level_);
  auto judged = loop_.judge(first, std::move(subject).value());
  if (judged && judged->is_violated() && first != level_)
    judged = loop_.judge(level_, std::get<StatementVerdict>(judged->end).subject);
  if (!judged || !judged->is_violated()) return judged;
  preferred_ = judged->last.assumed;
  auto fewer = with_fewer_assumptions(loop_, level_, std::get<StatementVerdict>(std::move(judged->end)));
  if (!fewer) return std::move(fewer).error();
  return Conclusion{std::move(*fewer), std::move(judged->last)};
}

void OutcomeCases::rule_out(StatementVerdict violated) {
  cases_.push_back(case_of(violated));
  if (!first_) first_ = std::move(violated);
}

const Case* OutcomeCases::known_case(const std::vector<Truth>& assumed) const {
  const auto covers = [&](const Case& known) {
    return std::ranges::all_of(known.completion.truths, [&](const Truth& outcome) {
      return find_truth(assumed, outcome.row()) == outcome.took;
    });
  };
  const auto found = std::ranges::find_if(cases_, covers);
  return found == cases_.end() ? nullptr : &*found;
}

void OutcomeCases::split(const Case& ruled_out, const std::vector<Truth>& fixed) {
  Branch branch{ruled_out.completion.truths, 0};
  std::erase_if(branch.assumed,
                [&](const Truth& outcome) { return find_truth(fixed, outcome.row()).has_value(); });
  branch.left = branch.assumed.size() + 1;
  branches_.push_back(std::move(branch));
}

// Moves to the next branch; returns false if none is left.
bool OutcomeCases::next_branch() {
  while (!branches_.empty() && --branches_.back().left == 0) branches_.pop_back();
  return !branches_.empty();
}

std::vector<Truth> OutcomeCases::fixed() const {
  std::vector<Truth> fixed;
  for (const Branch& branch : branches_) {
    const auto end = branch.assumed.begin() + static_cast<std::ptrdiff_t>(branch.left);
    fixed.insert(fixed.end(), branch.assumed.begin(), end);
    fixed.back().took = !fixed.back().took;
  }
  std::ranges::sort(fixed);
  return fixed;
}

StatementVerdict OutcomeCases::all_ruled_out() {
  StatementVerdict answer = std::move(*first_);
  answer.other_cases.assign(std::make_move_iterator(std::next(cases_.begin())),
                            std::make_move_iterator(cases_.end()));
  return answer;
}

}  // namespace assay
