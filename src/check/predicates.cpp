#include "check/predicates.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/contract.h"
#include "check/invisible.h"
#include "check/statement_views.h"
#include "dependency/guess.h"
#include "history/statement_replay.h"
#include "history/statements.h"
#include "verdict/operation_place.h"

namespace assay {
namespace {

constexpr std::size_t kMorePerRound = 4;
constexpr std::size_t kRoundsOfOtherTruths = 6;
constexpr std::size_t kFewRows = 20;  // one in so many
constexpr std::size_t kOperationsToLeaveOut =
    2'000'000;  // that are judged to find out what a case does not rest on

// Both sorted, each once.
template <class Row>
std::vector<Row> merged(const std::vector<Row>& some, const std::vector<Row>& more) {
  std::vector<Row> all;
  std::ranges::set_union(some, more, std::back_inserter(all));
  return all;
}

// Without those that there are truths of.
std::vector<Invisible> without(const std::vector<Invisible>& rows, const std::vector<Truth>& truths) {
  std::vector<Invisible> known, rest;
  for (const Truth& truth : truths) known.push_back(truth.row());
  std::ranges::set_difference(rows, known, std::back_inserter(rest));
  return rest;
}

bool is_replayed(Level level) {
  const auto rules = point_rules(level);
  return rules && rules->total;
}

}  // namespace

Result<void> PredicateChecker::prepare() {
  if (truths_) return {};
  ASSAY_TRY(check_predicates(h_));
  truths_ = truths_of(h_);
  separate_ = separate_rows(h_, *truths_);
  likely_ = likely_truths();
  return make_subject();
}

// Of the open truths these are left to the execution, and no others.
void PredicateChecker::leave(std::vector<Invisible> rows) {
  left_ = std::move(rows);
  rows_.clear();
  certain_.clear();
  supposed_.clear();
  fell_.clear();
  likely_ = likely_truths();
}

// Whether there were any that are not made.
bool PredicateChecker::make_rows_of(std::span<const KeyId> keys) {
  const std::size_t before = rows_.size();
  std::vector<Invisible> more;
  for (const Invisible& row : separate_)
    if (std::ranges::binary_search(keys, row.key)) more.push_back(row);
  rows_ = merged(rows_, more);
  return rows_.size() > before;
}

// Takes for certain what follows about conditional writes, which helps to decide others, while there is much
// of it.
Result<void> PredicateChecker::decide_rows(Level level) {
  for (;;) {
    const auto decided = subject_->checker.decided_writes(level);
    if (decided.empty()) return {};
    std::vector<Truth> more;
    for (const auto& [op, took] : decided)
      more.push_back({subject_->items.origin(op), subject_->items.history.key(op), took});
    std::ranges::sort(more);
    certain_ = merged(certain_, more);
    ASSAY_TRY(make_subject());
    if (more.size() * kFewRows < rows_.size() - certain_.size()) return {};
  }
}

// Whether there are rows of these keys that cannot be made.
bool PredicateChecker::must_suppose(std::span<const KeyId> keys) {
  std::vector<Invisible> more;
  for (const Invisible& row : left_)
    if (std::ranges::binary_search(keys, row.key) && !std::ranges::binary_search(separate_, row))
      more.push_back(row);
  must_be_supposed_ = merged(must_be_supposed_, more);
  return !more.empty();
}

Result<void> PredicateChecker::make_subject() {
  Completion completion{made_, with_known(*truths_, merged(supposed_, certain_)), without(rows_, certain_)};
  std::erase_if(completion.reads, [&](const Invisible& read) {
    return h_.kind(read.op) == OpKind::UpdateMaybe && !find_truth(completion.truths, read);
  });
  auto items = itemize(h_, std::move(completion));
  if (!items) return std::move(items).error();
  subject_ = std::make_shared<Subject>(std::move(items).value(), options_);
  is_shown_ = false;
  return {};
}

void PredicateChecker::add(const std::vector<Invisible>& more) { made_ = merged(made_, more); }

// The reads go to the checker that is at work, if it can take them, or to another one that begins with them.
Result<void> PredicateChecker::make(Level level, const Order& execution, const std::vector<Invisible>& more) {
  add(more);
  if (!is_shown_ && is_replayed(level))
    if (const auto reads = new_reads(more); reads && subject_->checker.learn(execution, *reads)) return {};
  return make_subject();
}

// Nothing where a transaction does not see what it wrote itself.
std::optional<std::vector<NewRead>> PredicateChecker::new_reads(const std::vector<Invisible>& reads) const {
  std::vector<NewRead> made;
  for (const Invisible& read : reads) {
    const TxnId reader = transaction_of(h_, read.op);
    bool wrote = false;
    for (const OpId op : h_.operations(reader)) {
      if (op == read.op) break;
      each_write(h_, op, subject_->items.completion.truths,
                 [&](KeyId key, KeyValueId) { wrote |= key == read.key; });
    }
    if (wrote) return std::nullopt;
    made.push_back({reader, read.key, possible_values(h_, read, subject_->items.completion.truths)});
  }
  return made;
}

Result<void> PredicateChecker::suppose(std::vector<Truth> truths) {
  if (truths == supposed_) return {};
  supposed_ = std::move(truths);
  certain_.clear();
  fell_.clear();
  return make_subject();
}

Result<Verdict> PredicateChecker::judge(Level level) {
  ASSAY_TRY(can_judge(level));
  effort_ = {};
  effort_.executions = 0;
  other_cases_.clear();
  proved_.reset();
  fixed_.clear();
  ASSAY_TRY(prepare());
  if (truths_->open.empty()) return judge_supposed(level);
  const Level total = is_replayed(level) ? level : level == Level::Psi ? Level::Si : Level::Pc;
  auto verdict = judge_leaving_rows(total);
  if (is_replayed(level) || !verdict || !std::holds_alternative<Violated>(*verdict)) return verdict;
  other_cases_.clear();
  proved_.reset();
  leave({});
  ASSAY_TRY(make_subject());
  return judge_truths(level);
}

// A level with a total order: what can be is left to the execution.
Result<Verdict> PredicateChecker::judge_leaving_rows(Level level) {
  std::vector<Invisible> rows;
  std::ranges::set_difference(truths_->open, must_be_supposed_, std::back_inserter(rows));
  if (left_ != rows) leave(std::move(rows));
  certain_.clear();  // it was at another level
  has_more_to_suppose_ = false;
  ASSAY_TRY(make_subject());
  auto verdict = left_.size() == truths_->open.size() ? judge_lazily(level) : judge_truths(level);
  if (has_more_to_suppose_) return judge_leaving_rows(level);
  if (!verdict || subject_->items.completion.rows.empty() || !std::holds_alternative<Violated>(*verdict))
    return verdict;
  return told(level, std::move(*verdict));
}

// A proof that speaks of conditional writes is believed, but hard to follow. Whatever they did, it is
// violated: this is the story if they did what is likely.
Result<Verdict> PredicateChecker::told(Level level, Verdict verdict) {
  const Proof& proof = std::get<Violated>(verdict).proof;
  const std::vector<Invisible> rows = subject_->items.completion.rows, left = std::exchange(left_, {}),
                               made_rows = std::exchange(rows_, {});
  proved_ = Case{{subject_->items.completion.reads, supposed_, rows}, proof};
  const std::vector<Truth> supposed = supposed_;
  ASSAY_ASSERT(certain_.empty());
  std::vector<bool> is_spoken_of(h_.key_count());
  for (const ProofLine& line : proof)
    if (!line.op.is_none()) is_spoken_of[subject_->items.history.key(line.op).index()] = true;
  std::vector<Invisible> of_proof;
  std::ranges::copy_if(rows, std::back_inserter(of_proof),
                       [&](const Invisible& row) { return is_spoken_of[row.key.index()]; });
  likely_ = likely_truths();
  const std::vector<Truth> all = complete(supposed_).value_or(likely_);
  const std::vector<Invisible> made = made_;
  // A transaction that the proof takes for aborted may be so because of a row that no line speaks of.
  auto again = judge_with_rows(level, supposed, all, of_proof);
  if (again && std::holds_alternative<Holds>(*again)) again = judge_with_rows(level, supposed, all, rows);
  left_ = left;
  rows_ = made_rows;
  supposed_ = supposed;
  made_ = made;
  likely_ = likely_truths();
  if (!again || std::holds_alternative<Violated>(*again)) return again;
  const auto* stopped = std::get_if<Undecided>(&*again);
  return Verdict(Undecided{(stopped ? stopped->why + "; " : "") + "it is violated, but no story tells why"});
}

// With these rows as `all` has them, besides what is supposed.
Result<Verdict> PredicateChecker::judge_with_rows(Level level, const std::vector<Truth>& supposed,
                                                  const std::vector<Truth>& all,
                                                  const std::vector<Invisible>& rows) {
  supposed_.clear();
  std::ranges::copy_if(all, std::back_inserter(supposed_), [&](const Truth& truth) {
    return find_truth(supposed, truth.row()) || std::ranges::binary_search(rows, truth.row());
  });
  add(rows);
  ASSAY_TRY(make_subject());
  return judge_items(level);
}

// All truths are supposed.
Result<Verdict> PredicateChecker::judge_supposed(Level level) {
  if (is_replayed(level)) return judge_lazily(level);
  const Level stronger = level == Level::Psi ? Level::Si : Level::Pc;
  if (std::ranges::find(fell_, stronger) == fell_.end()) {
    auto explained = judge_lazily(stronger);
    if (!explained || !std::holds_alternative<Violated>(*explained)) return explained;
    fell_.push_back(stronger);
  }
  return judge_lazily(level);
}

Result<Verdict> PredicateChecker::judge_items(Level level) {
  auto verdict = subject_->checker.judge(level);
  const CheckEffort& effort = subject_->checker.effort();
  const CheckEffort before = std::exchange(effort_, effort);
  effort_.choices += before.choices;
  effort_.decisions += before.decisions;
  effort_.conflicts += before.conflicts;
  effort_.executions = before.executions + 1;
  effort_.invisible = made_.size();
  effort_.rows = std::max(before.rows, rows_.size());
  return verdict;
}

// Each round makes more of what one version spoils; in the first ones truths give way instead, where they
// may.
Result<Verdict> PredicateChecker::judge_lazily(Level level) {
  std::size_t per_writer = 1, other_truths = supposed_.empty() ? kRoundsOfOtherTruths : 0;
  bool may_decide = true;
  while (true) {
    auto verdict = judge_items(level);
    const auto* holds = verdict ? std::get_if<Holds>(&*verdict) : nullptr;
    if (verdict && holds == nullptr && subject_->checker.has_learnt()) {
      if (auto why = options_.stop())
        return Verdict(Undecided{*why + "; no execution had been found that explains all predicates"});
      ASSAY_TRY(make_subject());
      continue;
    }
    const auto begin_anew = [&] {
      may_decide = false;
      certain_.clear();
      return make_subject();
    };
    if (verdict && holds == nullptr && !certain_.empty()) {
      if (auto why = options_.stop())
        return Verdict(
            Undecided{*why + "; no execution had been found with what is certain about update-maybes"});
      ASSAY_TRY(begin_anew());
      continue;
    }
    is_shown_ |= holds == nullptr;
    if (holds == nullptr) return verdict;
    const bool may_change = other_truths < kRoundsOfOtherTruths;
    auto broken = unexplained(level, *holds, may_change ? SIZE_MAX : per_writer);
    if (!broken) return std::move(broken).error();
    if (broken->empty() && in_the_way_.empty()) return verdict;
    if (auto why = options_.stop())
      return Verdict(Undecided{*why + "; the execution at hand does not explain all predicates"});
    if (is_replayed(level)) options_.start = holds->order;
    if (may_change && change_truths(*broken)) {
      ++other_truths;
      ASSAY_TRY(make_subject());
      continue;
    }
    if (may_change) broken = unexplained(level, *holds, per_writer);
    if (must_suppose(in_the_way_)) {
      has_more_to_suppose_ = true;
      return Verdict(Undecided{"more is to be supposed"});
    }
    if (make_rows_of(in_the_way_)) {
      add(*broken);
      ASSAY_TRY(make_subject());
      if (may_decide) ASSAY_TRY(decide_rows(level));
    } else if (broken->empty()) {  // a count that does not fit what is certain
      ASSAY_REQUIRE(!certain_.empty());
      ASSAY_TRY(begin_anew());
    } else {
      ASSAY_TRY(make(level, holds->order, *broken));
    }
    per_writer *= kMorePerRound;
  }
}

Result<std::vector<Invisible>> PredicateChecker::unexplained(Level level, const Holds& holds,
                                                             std::size_t per_writer) {
  in_the_way_.clear();
  if (!is_replayed(level)) return unexplained_reads(h_, subject_->items, level, holds, per_writer);
  Replayed found = replay(h_, subject_->items.completion.truths, without(left_, certain_), holds.order,
                          point_rules(level)->exclusive, per_writer);
  decided_ = std::move(found.truths);
  in_the_way_ = std::move(found.keys);
  return std::move(found.broken);
}

// Whether some of these rows are of an update-maybe that may as well have done the other.
bool PredicateChecker::change_truths(const std::vector<Invisible>& rows) {
  bool changed = false;
  for (const Invisible& row : rows) {
    const auto truth = std::ranges::lower_bound(supposed_, row, {}, &Truth::row);
    if (truth == supposed_.end() || truth->row() != row || find_truth(fixed_, row) || h_.count(row.op))
      continue;
    if (std::ranges::binary_search(made_, row)) continue;
    truth->took = !truth->took;
    changed = true;
  }
  return changed;
}

// What happens when the transactions run one after another, by their clocks or as the file has them.
std::vector<Truth> PredicateChecker::likely_truths() const {
  std::vector<Truth> likely;
  if (truths_->open.empty()) return likely;
  const std::vector<std::uint32_t> rank = ranks(h_);
  std::vector<TxnId> order(rank.size());
  for (const TxnId t : h_.transactions()) order[rank[t.index()]] = t;
  for (const Invisible& row : truths_->open) likely.push_back({row.op, row.key, false});
  std::vector<Truth> so_far = with_known(*truths_, likely);
  std::erase_if(likely, [&](const Truth& truth) { return std::ranges::binary_search(left_, truth.row()); });
  StatementReplay replay(h_, so_far);
  for (const TxnId t : order) {
    if (h_.outcome(t) != Outcome::Committed) continue;
    replay.run(t, [&](OpId op) {
      if (h_.kind(op) != OpKind::UpdateMaybe) return;
      replay.each_broken(op, [&](KeyId key, bool took) {
        if (!took && std::ranges::binary_search(truths_->open, Invisible{op, key}))
          std::ranges::lower_bound(so_far, Invisible{op, key}, {}, &Truth::row)->took = true;
      });
    });
    replay.commit(t);
  }
  for (Truth& truth : likely) truth.took = *find_truth(so_far, truth.row());
  return likely;
}

// These, and the likely ones for the rest, changed where a count says so. Nothing: a committed transaction
// cannot have changed as many rows as it says.
std::optional<std::vector<Truth>> PredicateChecker::complete(const std::vector<Truth>& fixed) const {
  std::vector<Truth> all = likely_;
  for (Truth& truth : all) truth.took = find_truth(fixed, truth.row()).value_or(truth.took);
  for (const TxnId t : h_.transactions())
    for (const OpId op : h_.operations(t)) {
      if (h_.kind(op) != OpKind::UpdateMaybe || !h_.count(op) || h_.outcome(t) == Outcome::Aborted) continue;
      const auto known = std::ranges::equal_range(truths_->known, op, {}, &Truth::op);
      auto took = static_cast<std::uint64_t>(std::ranges::count(known, true, &Truth::took));
      const auto open = std::ranges::equal_range(all, op, {}, &Truth::op);
      took += static_cast<std::uint64_t>(std::ranges::count(open, true, &Truth::took));
      const std::uint64_t left =
          std::ranges::equal_range(left_, op, {}, &Invisible::op).size();  // any number of these
      const auto fits = [&] { return took <= *h_.count(op) && *h_.count(op) <= took + left; };
      for (Truth& truth : open) {
        if (fits()) break;
        if (find_truth(fixed, truth.row()) || truth.took != (took > *h_.count(op))) continue;
        truth.took = !truth.took;
        took += truth.took ? 1 : -1;
      }
      if (!fits() && h_.outcome(t) == Outcome::Committed) return std::nullopt;
    }
  return all;
}

// Of what is supposed, the truths that the proof may rest on: of rows of transactions that it speaks of, and
// of rows that a read that it speaks of may be from.
std::vector<Truth> PredicateChecker::truths_on(const Proof& proof) const {
  const History& items = subject_->items.history;
  std::vector<bool> key_spoken_of(h_.key_count()), txn_spoken_of(h_.transaction_count()),
      may_be_read(h_.key_value_count()), may_be_any(h_.key_count());
  for (const ProofLine& line : proof) {
    for (const TxnId t : {line.a, line.b})
      if (!t.is_none()) txn_spoken_of[t.index()] = true;
    if (line.op.is_none()) continue;
    key_spoken_of[items.key(line.op).index()] = true;
    txn_spoken_of[transaction_of(items, line.op).index()] = true;
    if (items.is_conditional_write(line.op)) may_be_any[items.key(line.op).index()] = true;
    else if (!has_rows(items.kind(line.op))) may_be_read[items.value(line.op).index()] = true;
    else
      for (const KeyValueId value : items.rows(line.op)) may_be_read[value.index()] = true;
  }
  std::vector<Truth> on;
  for (const Truth& truth : supposed_) {
    if (!key_spoken_of[truth.key.index()]) continue;
    const auto rows = h_.rows(truth.op);
    const auto row = std::ranges::find(rows, truth.key, [&](KeyValueId value) { return h_.key(value); });
    if (may_be_read[row->index()] || may_be_any[truth.key.index()] ||
        txn_spoken_of[transaction_of(h_, truth.op).index()])
      on.push_back(truth);
  }
  return on;
}

// The level is violated: once more, with only those truths supposed that the proof may rest on, if they do.
// Undecided if it had to stop.
Result<Verdict> PredicateChecker::judge_with_fewer(Level level, const Proof& proof) {
  likely_ = supposed_;
  ASSAY_TRY(suppose(truths_on(proof)));
  auto verdict = judge_items(level);
  if (verdict && !std::holds_alternative<Violated>(*verdict)) {
    ASSAY_TRY(suppose(likely_));
    verdict = judge_items(level);
  }
  if (!verdict || !std::holds_alternative<Violated>(*verdict)) return verdict;
  return judge_with_fewest(level, std::move(*verdict));
}

// Each truth less that a case rests on halves the cases that are left: half of them are left out, then
// quarters, and so on, but not for long.
Result<Verdict> PredicateChecker::judge_with_fewest(Level level, Verdict verdict) {
  std::vector<Truth> needed = supposed_;
  std::size_t tries = std::clamp<std::size_t>(
      kOperationsToLeaveOut / (subject_->items.history.operation_count() + 1), 8, 256);
  for (std::size_t part = (needed.size() + 1) / 2; part > 0 && !needed.empty();
       part = part == 1 ? 0 : (part + 1) / 2)
    for (std::size_t end = needed.size(); end > 0 && tries > 0 && !options_.stop(); --tries) {
      const std::size_t begin = end - std::min(end, part);
      std::vector<Truth> fewer = needed;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(begin),
                  fewer.begin() + static_cast<std::ptrdiff_t>(end));
      end = begin;
      ASSAY_TRY(suppose(fewer));
      auto again = judge_items(level);
      if (!again) return again;
      if (!std::holds_alternative<Violated>(*again)) continue;
      needed = std::move(fewer);
      verdict = std::move(*again);
    }
  if (supposed_ == needed) return verdict;
  ASSAY_TRY(suppose(std::move(needed)));
  return judge_items(level);
}

namespace {

// Truths that a proof rests on: each in turn is tried the other way, with those before it as they were. The
// last comes first.
struct Branch {
  std::vector<Truth> truths;
  std::size_t left;  // that are still to be tried
};

// What is fixed where each branch tries its next truth.
std::vector<Truth> fixed_by(const std::vector<Branch>& branches) {
  std::vector<Truth> fixed;
  for (const Branch& branch : branches) {
    fixed.insert(fixed.end(), branch.truths.begin(),
                 branch.truths.begin() + static_cast<std::ptrdiff_t>(branch.left));
    fixed.back().took = !fixed.back().took;
  }
  std::ranges::sort(fixed);
  return fixed;
}

bool suppose_the_same(const std::vector<Truth>& few, const std::vector<Truth>& all) {
  return std::ranges::all_of(few,
                             [&](const Truth& truth) { return find_truth(all, truth.row()) == truth.took; });
}

}  // namespace

Result<Verdict> PredicateChecker::judge_truths(Level level) {
  std::vector<Branch> branches;
  std::vector<Case> cases;
  std::optional<Violated> first;  // of the first case
  std::shared_ptr<Subject> first_subject;
  supposed_.clear();
  do {
    if (auto why = options_.stop())
      return Verdict(Undecided{fmt::format(
          "{}; {} cases of what update-maybes may have done were out of the question", *why, cases.size())});
    fixed_ = fixed_by(branches);
    if (auto all = complete(fixed_)) {
      auto covered = std::ranges::find_if(
          cases, [&](const Case& known) { return suppose_the_same(known.completion.truths, *all); });
      if (covered == cases.end()) {
        ASSAY_TRY(suppose(std::move(*all)));
        auto verdict = judge_supposed(level);
        if (!verdict || !std::holds_alternative<Violated>(*verdict)) return verdict;
        auto again = judge_with_fewer(level, std::get<Violated>(*verdict).proof);
        auto* fell = again ? std::get_if<Violated>(&*again) : nullptr;
        if (fell == nullptr) return again;
        cases.push_back(
            {{subject_->items.completion.reads, supposed_, subject_->items.completion.rows}, fell->proof});
        covered = std::prev(cases.end());
        if (!first) {
          first = std::move(*fell);
          first_subject = subject_;
        }
      }
      Branch branch{covered->completion.truths, 0};
      std::erase_if(branch.truths,
                    [&](const Truth& truth) { return find_truth(fixed_, truth.row()).has_value(); });
      branch.left = branch.truths.size() + 1;
      branches.push_back(std::move(branch));
    }
    while (!branches.empty() && --branches.back().left == 0) branches.pop_back();
  } while (!branches.empty());
  ASSAY_ASSERT(first.has_value());  // counts can always be met: truths_of() sees to it
  subject_ = first_subject;
  supposed_ = std::move(cases.front().completion.truths);
  other_cases_.assign(std::make_move_iterator(std::next(cases.begin())),
                      std::make_move_iterator(cases.end()));
  return Verdict(std::move(*first));
}

std::vector<Truth> PredicateChecker::supposed(const Subject& subject) const {
  std::vector<Truth> supposed;
  std::ranges::set_difference(subject.items.completion.truths, truths_->known, std::back_inserter(supposed));
  return supposed;
}

Section PredicateChecker::section(Level level, const Verdict& verdict) const {
  Section section{level, {}};
  if (const auto* holds = std::get_if<Holds>(&verdict)) {
    section.evidence = *holds;
    section.completion = {subject_->items.completion.reads, supposed_};
    for (const Truth& truth : decided_)
      if (std::ranges::binary_search(left_, truth.row())) section.completion.truths.push_back(truth);
    std::ranges::sort(section.completion.truths);
  } else if (proved_) {
    section.evidence = proved_->proof;
    section.completion = proved_->completion;
  } else {
    section.evidence = std::get<Violated>(verdict).proof;
    section.completion = {subject_->items.completion.reads, supposed_, subject_->items.completion.rows};
  }
  section.other_cases = other_cases_;
  section.skew = row(level).needs_instants ? options_.skew : 0;
  return section;
}

}  // namespace assay
