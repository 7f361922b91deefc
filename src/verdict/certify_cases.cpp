#include "verdict/certify_cases.h"

#include <algorithm>

#include "history/statements.h"

namespace assay {
namespace {

class Cover {
 public:
  Cover(const History& history, const Section& section) : h_(history), truths_(truths_of(history).known) {
    cases_.push_back(&section.completion.truths);
    for (const Case& other : section.other_cases) cases_.push_back(&other.completion.truths);
    for (const TxnId t : h_.transactions())
      for (const OpId op : h_.operations(t))
        if (h_.outcome(t) == Outcome::Committed && h_.kind(op) == OpKind::UpdateMaybe) counted_.push_back(op);
    for (const auto* truths : cases_) steps_ += kStepsPerTruth * (truths->size() + 1);
  }

  Result<void> check() {
    std::vector<std::size_t> all(cases_.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    std::vector<Branch> open{{{}, std::move(all)}};
    while (!open.empty()) {
      Branch branch = std::move(open.back());
      open.pop_back();
      if (!is_possible(branch)) continue;
      if (branch.cases.empty())
        return error("the cases do not cover all that the rows of update-maybes may have done");
      const auto next = next_truth(branch);
      if (!next) continue;  // this case covers it
      if (steps_ < branch.cases.size())
        return unchecked("the cases are too many to see that they cover everything");
      steps_ -= branch.cases.size();
      for (const bool took : {true, false}) open.push_back(suppose(branch, {next->op, next->key, took}));
    }
    return {};
  }

 private:
  static constexpr std::size_t kStepsPerTruth = 1000;

  struct Branch {
    std::vector<Truth> supposed;     // sorted
    std::vector<std::size_t> cases;  // that agree with them
  };

  // Of the first case, one that is not supposed yet.
  std::optional<Invisible> next_truth(const Branch& branch) const {
    for (const Truth& truth : *cases_[branch.cases.front()])
      if (!find_truth(branch.supposed, truth.row())) return truth.row();
    return std::nullopt;
  }

  Branch suppose(const Branch& branch, Truth truth) const {
    Branch result{branch.supposed, {}};
    result.supposed.insert(std::ranges::lower_bound(result.supposed, truth), truth);
    for (const std::size_t i : branch.cases)
      if (find_truth(*cases_[i], truth.row()).value_or(truth.took) == truth.took) result.cases.push_back(i);
    return result;
  }

  bool is_possible(const Branch& branch) const {
    std::vector<Truth> all;
    std::ranges::merge(truths_, branch.supposed, std::back_inserter(all));
    return std::ranges::all_of(counted_, [&](OpId op) { return fits_count(h_, op, all); });
  }

  const History& h_;
  const std::vector<Truth> truths_;  // that are known
  std::vector<const std::vector<Truth>*> cases_;
  std::vector<OpId> counted_;
  std::size_t steps_ = 0;
};

}  // namespace

Result<void> certify_cases(const History& history, const Section& section) {
  if (section.completion.truths.empty() && section.other_cases.empty()) return {};
  return Cover(history, section).check();
}

}  // namespace assay
