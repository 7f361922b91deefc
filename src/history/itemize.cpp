#include "history/itemize.h"

#include <algorithm>

#include "history/builder.h"
#include "history/matches.h"
#include "history/values_of_keys.h"

namespace assay {
namespace {

class Itemizer {
 public:
  Itemizer(const History& history, Completion completion)
      : h_(history),
        completion_(std::move(completion)),
        b_(HistoryBuilder::like(history)),
        may_be_written_(h_.key_value_count()) {
    drop_rows_that_may_meet_others();
    each_open_row([&](KeyValueId row) { may_be_written_[row.index()] = true; });
  }

  Result<Items> run() {
    for (const TxnId t : h_.transactions()) ASSAY_TRY(transaction(t));
    auto built = std::move(b_).build();
    if (!built) return std::move(built).error();
    return Items{std::move(built).value(), std::move(origin_), std::move(completion_)};
  }

 private:
  std::optional<bool> truth(OpId op, KeyId key) const { return find_truth(completion_.truths, {op, key}); }

  // Drops each requested row whose key has another open row that is not requested: the row may have met the
  // version that the other one wrote, and reads that may return such a version are left out.
  void drop_rows_that_may_meet_others() {
    if (completion_.rows.empty()) return;
    std::vector<bool> has_others(h_.key_count());
    each_open_row([&](KeyValueId row) { has_others[h_.key(row).index()] = true; });
    std::erase_if(completion_.rows, [&](const Invisible& row) { return has_others[row.key.index()]; });
  }

  // Calls visit(row) for each row whose outcome is unknown and that is not requested.
  template <class Visit>
  void each_open_row(Visit visit) const {
    for (const OpId op : h_.operations()) {
      if (h_.kind(op) != OpKind::UpdateMaybe) continue;
      const auto known = truths_of_operation(completion_.truths, op);
      const auto asked = asked_of(op);
      for (const KeyValueId row : h_.rows(op))
        if (const Invisible place{op, h_.key(row)};
            !find_truth(known, place) && !std::ranges::binary_search(asked, place))
          visit(row);
    }
  }

  std::span<const Invisible> asked_of(OpId op) const {
    const auto [first, last] = std::ranges::equal_range(completion_.rows, op, {}, &Invisible::op);
    return {first, last};
  }

  Result<void> transaction(TxnId t) {
    for (const OpId op : h_.operations(t)) {
      first_of_statement_ = true;
      operation(op);
    }
    return b_.finish(
        {.session = h_.session(t), .name = h_.name(t), .outcome = outcome(t), .instants = h_.instants(t)});
  }

  // A transaction of unknown outcome whose known outcomes contradict its count did not take effect.
  Outcome outcome(TxnId t) const {
    const bool may_have_happened = std::ranges::all_of(h_.operations(t), [&](OpId op) {
      return h_.kind(op) != OpKind::UpdateMaybe || fits_count(h_, op, completion_.truths);
    });
    return h_.outcome(t) == Outcome::Unknown && !may_have_happened ? Outcome::Aborted : h_.outcome(t);
  }

  void operation(OpId op) {
    const OpKind kind = h_.kind(op);
    switch (kind) {
      case OpKind::Read:
      case OpKind::Write:
      case OpKind::Append: return single(op, kind, h_.value(op));
      case OpKind::ListRead:
      case OpKind::ReadOneOf:
        if (std::ranges::any_of(h_.rows(op),
                                [&](KeyValueId value) { return may_be_written_[value.index()]; }))
          return;
        item(op);
        return b_.numbered(kind, h_.key(op), h_.rows(op));
      case OpKind::Insert:
        one_of(op, h_.key(op), {}, [](Scalar v) { return v.is_null(); });
        return single(op, OpKind::Write, h_.value(op));
      case OpKind::Delete: return remove(op);
      case OpKind::Scan:
      case OpKind::Select:
        for (const KeyValueId row : h_.rows(op)) single(op, OpKind::Read, row);
        return invisible_reads(op);
      case OpKind::Update:
        invisible_reads(op);
        for (const KeyValueId row : h_.rows(op)) single(op, OpKind::Write, row);
        return;
      case OpKind::UpdateMaybe: return update_maybe(op);
    }
  }

  void update_maybe(OpId op) {
    invisible_reads(op);
    const auto count = count_of_conditional(op);
    const auto known = truths_of_operation(completion_.truths, op);
    const auto asked = asked_of(op);
    for (const KeyValueId row : h_.rows(op)) {
      const Invisible place{op, h_.key(row)};
      if (find_truth(known, place) == true) {
        single(op, OpKind::Write, row);
      } else if (std::ranges::binary_search(asked, place)) {
        item(op);
        b_.conditional_write(row, h_.predicate(op), count);
      }
    }
  }

  // How many conditional writes of the statement took effect; known only if all its open rows are requested.
  std::optional<std::uint64_t> count_of_conditional(OpId op) const {
    const auto count = h_.count(op);
    if (!count) return std::nullopt;
    const auto known = truths_of_operation(completion_.truths, op);
    const auto asked = asked_of(op);
    const auto took = static_cast<std::uint64_t>(std::ranges::count(known, true, &Truth::took));
    if (known.size() + asked.size() < h_.rows(op).size() || took > *count || *count - took > asked.size())
      return std::nullopt;
    return *count - took;
  }

  // Must be called before each operation that is added.
  void item(OpId op) {
    if (std::exchange(first_of_statement_, false)) origin_.push_back(op);
    else b_.same_statement();
  }

  void single(OpId op, OpKind kind, KeyValueId value) {
    if (kind == OpKind::Read && may_be_written_[value.index()]) return;
    item(op);
    b_.numbered(kind, value);
  }

  template <class Accepts>
  void one_of(OpId op, KeyId key, std::optional<bool> matched, Accepts accepts) {
    possible_.clear();
    if (!values_) values_.emplace(h_);
    for (const KeyValueId kv : values_->of(key)) {
      if (!accepts(h_.value(kv))) continue;
      if (may_be_written_[kv.index()]) return;
      possible_.push_back(kv);
    }
    item(op);
    b_.numbered(OpKind::ReadOneOf, key, possible_, matched,
                has_predicate(h_.kind(op)) ? h_.predicate(op) : Predicate(),
                h_.kind(op) == OpKind::Scan ? h_.bounds(op) : KeyBounds());
  }

  void remove(OpId op) {
    const auto found = h_.found(op);
    if (found) one_of(op, h_.key(op), {}, [&](Scalar v) { return v.is_null() != *found; });
    if (found != false) single(op, OpKind::Delete, h_.value(op));
  }

  void invisible_reads(OpId op) {
    const auto asked = std::ranges::equal_range(completion_.reads, op, {}, &Invisible::op);
    if (asked.empty()) return;
    const bool scan = h_.kind(op) == OpKind::Scan;
    std::optional<RowTest> test;
    if (!scan) test.emplace(h_, h_.predicate(op));
    std::vector<KeyId> listed;
    for (const KeyValueId kv : h_.rows(op)) listed.push_back(h_.key(kv));
    std::ranges::sort(listed);
    for (const Invisible& read : asked) {
      const bool matched = h_.kind(op) == OpKind::UpdateMaybe ? truth(op, read.key).value()
                                                              : std::ranges::binary_search(listed, read.key);
      one_of(op, read.key, matched,
             [&](Scalar v) { return (scan ? !v.is_null() : (*test)(read.key, v)) == matched; });
    }
  }

  const History& h_;
  Completion completion_;
  std::optional<ValuesOfKeys> values_;  // made when first needed
  HistoryBuilder b_;
  std::vector<OpId> origin_;          // by statement
  std::vector<KeyValueId> possible_;  // scratch
  std::vector<bool> may_be_written_;  // by value: an open row may have written it
  bool first_of_statement_ = true;
};

}  // namespace

bool has_rows_or_predicates(const History& history) {
  return std::ranges::any_of(history.operations(),
                             [&](OpId op) { return history.kind(op) > OpKind::ReadOneOf; });
}

Result<Items> itemize(const History& history, Completion completion) {
  return Itemizer(history, std::move(completion)).run();
}

}  // namespace assay
