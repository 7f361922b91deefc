#include "certify/cases.h"

#include <algorithm>
#include <optional>
#include <set>

#include "certify/certify.h"
#include "certify/outcomes.h"

namespace assay {
namespace {

class Cover {
 public:
  Cover(const History& history, const Section& section) : h_(history), known_(known_outcomes(history)) {
    cases_.push_back(&section.completion.truths);
    for (const Case& other : section.other_cases) cases_.push_back(&other.completion.truths);
    for (const TxnId t : h_.transactions())
      for (const OpId op : h_.operations(t))
        if (h_.outcome(t) == Outcome::Committed && h_.kind(op) == OpKind::UpdateMaybe) counted_.insert(op);
    for (const auto* truths : cases_) steps_ += kStepsPerTruth * (truths->size() + 1);
  }

  Result<void> check() {
    Branch all;
    for (std::size_t i = 0; i < cases_.size(); ++i) all.cases.push_back(i);
    std::vector<Branch> open;
    if (std::ranges::all_of(counted_, [&](OpId op) { return is_possible(all, op); }))
      open.push_back(std::move(all));
    while (!open.empty()) {
      const Branch branch = std::move(open.back());
      open.pop_back();
      if (branch.cases.empty())
        return error("the cases do not cover all that the rows of update-maybes may have done");
      const auto next = next_row(branch);
      if (!next) continue;  // this case covers it
      if (steps_ < branch.cases.size())
        return unchecked("the cases are too many to see that they cover everything");
      steps_ -= branch.cases.size();
      for (const bool changed : {true, false}) {
        Branch supposed = suppose(branch, *next, changed);
        if (is_possible(supposed, next->op)) open.push_back(std::move(supposed));
      }
    }
    return {};
  }

 private:
  static constexpr std::size_t kStepsPerTruth = 1000;

  struct Branch {
    std::vector<Truth> supposed{};     // sorted
    std::vector<std::size_t> cases{};  // the cases that agree with it
  };

  static std::optional<bool> said_of(const std::vector<Truth>& truths, Invisible row) {
    const auto found = std::ranges::lower_bound(truths, row, {}, &Truth::row);
    return found != truths.end() && found->row() == row ? std::optional(found->took) : std::nullopt;
  }

  // A row that the first case assumes and the branch does not yet.
  std::optional<Invisible> next_row(const Branch& branch) const {
    for (const Truth& truth : *cases_[branch.cases.front()])
      if (!said_of(branch.supposed, truth.row())) return truth.row();
    return std::nullopt;
  }

  Branch suppose(const Branch& branch, Invisible row, bool changed) const {
    Branch result{branch.supposed, {}};
    result.supposed.insert(std::ranges::lower_bound(result.supposed, row, {}, &Truth::row),
                           {row.op, row.key, changed});
    for (const std::size_t i : branch.cases)
      if (said_of(*cases_[i], row).value_or(changed) == changed) result.cases.push_back(i);
    return result;
  }

  // Whether a committed operation can still have changed as many rows as it reports.
  bool is_possible(const Branch& branch, OpId op) const {
    if (!counted_.contains(op)) return true;
    RowCounts rows = count_rows(h_, op, known_);
    for (const KeyValueId row : h_.rows(op))
      if (const auto changed = said_of(branch.supposed, {op, h_.key(row)})) {
        --rows.open;
        ++(*changed ? rows.changed : rows.left);
      }
    return may_have_its_count(h_, op, rows);
  }

  const History& h_;
  const RowOutcomes known_;
  std::vector<const std::vector<Truth>*> cases_;
  std::set<OpId> counted_;  // update-maybes of committed transactions
  std::size_t steps_ = 0;
};

}  // namespace

Result<void> certify_cases(const History& history, const Section& section) {
  if (section.completion.truths.empty() && section.other_cases.empty()) return {};
  return Cover(history, section).check();
}

}  // namespace assay
