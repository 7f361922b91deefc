#include "check/predicates.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/contract.h"
#include "check/invisible.h"
#include "history/statements.h"

namespace assay {
namespace {

constexpr std::size_t kMostInvisible = 20'000'000;
constexpr std::size_t kMorePerRound = 4;

bool is_replayed(Level level) {
  const auto rules = point_rules(level);
  return rules && rules->total;
}

}  // namespace

Result<void> PredicateChecker::make(std::vector<Invisible> more) {
  const std::size_t middle = made_.size();
  made_.insert(made_.end(), more.begin(), more.end());
  std::ranges::inplace_merge(made_, made_.begin() + static_cast<std::ptrdiff_t>(middle));
  const auto twice = std::ranges::unique(made_);
  made_.erase(twice.begin(), twice.end());
  checker_.reset();
  judged_.clear();
  auto items = itemize(h_, made_);
  if (!items) return std::move(items).error();
  items_ = std::make_unique<Items>(std::move(items).value());
  checker_ = std::make_unique<Checker>(items_->history, options_);
  return {};
}

Result<Verdict> PredicateChecker::judge(Level level) {
  ASSAY_TRY(can_judge(level));
  effort_ = {};
  if (!items_) {
    ASSAY_TRY(check_predicates(h_));
    ASSAY_TRY(make({}));
  }
  if (is_replayed(level)) return judge_in_order(level);
  const Level stronger = level == Level::Psi ? Level::Si : Level::Pc;
  if (!made_all_) {
    auto explained = judge_in_order(stronger);
    if (!explained || std::holds_alternative<Undecided>(*explained)) return explained;
    if (!std::holds_alternative<Holds>(*explained)) {
      const auto made = make_all();
      if (!made) return made.error();
      if (!*made)
        return Verdict(Undecided{fmt::format("its statements range over more than {} rows, and the level {} does not hold",
                                             kMostInvisible, id(stronger))});
    }
  }
  return judge_items(level);
}

Result<bool> PredicateChecker::make_all() {
  if (made_all_) return true;
  auto all = all_invisible_reads(h_, kMostInvisible);
  if (!all) return false;
  ASSAY_TRY(make(std::move(*all)));
  return made_all_ = true;
}

Result<Verdict> PredicateChecker::judge_items(Level level) {
  auto verdict = checker_->judge(level);
  const CheckEffort& effort = checker_->effort();
  const CheckEffort before = std::exchange(effort_, effort);
  effort_.choices += before.choices;
  effort_.decisions += before.decisions;
  effort_.conflicts += before.conflicts;
  judged_.push_back(level);
  return verdict;
}

// Each round makes more of what one version spoils.
Result<Verdict> PredicateChecker::judge_in_order(Level level) {
  for (std::size_t per_writer = 1;; per_writer *= kMorePerRound) {
    auto verdict = judge_items(level);
    const auto* holds = verdict ? std::get_if<Holds>(&*verdict) : nullptr;
    if (holds == nullptr || made_all_) return verdict;
    auto broken = broken_invisible_reads(h_, holds->order, per_writer);
    if (broken.empty()) return verdict;
    if (auto why = options_.stop()) return Verdict(Undecided{*why + "; the execution at hand does not explain all predicates"});
    options_.start = holds->order;
    ASSAY_TRY(make(std::move(broken)));
  }
}

Result<Verdict> PredicateChecker::settled(Level level, Verdict verdict) {
  const bool stays = std::holds_alternative<Undecided>(verdict) || (std::holds_alternative<Holds>(verdict) && is_replayed(level));
  if (stays || std::ranges::find(judged_, level) != judged_.end()) return verdict;
  return judge_items(level);
}

}  // namespace assay
