#include "certify/outcomes.h"

#include <algorithm>

#include "certify/predicate_tree.h"

namespace assay {
namespace {

class OutcomeFinder {
 public:
  explicit OutcomeFinder(const History& history)
      : h_(history),
        values_(history),
        writes_(history.key_value_count()),
        is_read_(history.key_value_count()) {
    for (const KeyId key : h_.keys())
      if (const KeyValueId initial = h_.initial_value(key); !initial.is_none()) ++writes_[initial.index()];
    for (const TxnId t : h_.transactions())
      for (const OpId op : h_.operations(t)) note_uses(op, h_.outcome(t) == Outcome::Committed);
  }

  RowOutcomes find() {
    for (const TxnId t : h_.transactions())
      for (const OpId op : h_.operations(t)) {
        if (h_.kind(op) != OpKind::UpdateMaybe) continue;
        if (h_.outcome(t) != Outcome::Aborted) decide(op);
        else
          for (const KeyValueId row : h_.rows(op)) outcomes_.set({op, h_.key(row)}, true);
      }
    return std::move(outcomes_);
  }

 private:
  void note_uses(OpId op, bool is_committed) {
    switch (h_.kind(op)) {
      case OpKind::Write:
      case OpKind::Append:
      case OpKind::Insert:
      case OpKind::Delete: ++writes_[h_.value(op).index()]; break;
      case OpKind::Update:
      case OpKind::UpdateMaybe:
        for (const KeyValueId row : h_.rows(op)) ++writes_[row.index()];
        break;
      case OpKind::Read:
        if (is_committed) is_read_[h_.value(op).index()] = true;
        break;
      case OpKind::Scan:
      case OpKind::Select:
        for (const KeyValueId row : h_.rows(op))
          if (is_committed) is_read_[row.index()] = true;
        break;
      case OpKind::ListRead:
      case OpKind::ReadOneOf: break;
    }
  }

  // Decides the rows of an operation whose transaction is not aborted. If the reported count contradicts the
  // result, all rows stay open.
  void decide(OpId op) {
    const PredicateTree tree(h_, h_.predicate(op));
    RowOutcomes found;
    for (const KeyValueId row : h_.rows(op)) {
      const KeyId key = h_.key(row);
      const bool was_read = is_read_[row.index()] && writes_[row.index()] == 1;
      if (was_read) found.set({op, key}, true);
      else if (std::ranges::none_of(values_.of(key),
                                    [&](KeyValueId v) { return tree.matches(key, h_.value(v)); }))
        found.set({op, key}, false);
    }
    const RowCounts rows = count_rows(h_, op, found);
    if (!may_have_its_count(h_, op, rows)) return;
    const auto count = h_.count(op);
    const bool all_left = count && rows.changed == *count;
    const bool all_changed = count && rows.changed + rows.open == *count;
    for (const KeyValueId row : h_.rows(op)) {
      const Invisible place{op, h_.key(row)};
      if (const auto changed = found.of(place)) outcomes_.set(place, *changed);
      else if (all_left || all_changed) outcomes_.set(place, all_changed);
    }
  }

  const History& h_;
  const NamedValues values_;
  std::vector<std::uint32_t> writes_;  // by value: how often it is written, or initial
  std::vector<bool> is_read_;          // by value: by a committed transaction
  RowOutcomes outcomes_;
};

bool has_update_maybes(const History& h) {
  return std::ranges::any_of(h.operations(), [&](OpId op) { return h.kind(op) == OpKind::UpdateMaybe; });
}

}  // namespace

NamedValues::NamedValues(const History& h) : of_key_(h.key_count()) {
  for (std::size_t i = 0; i < h.key_value_count(); ++i)
    of_key_[h.key(KeyValueId(i)).index()].push_back(KeyValueId(i));
}

RowCounts count_rows(const History& h, OpId op, const RowOutcomes& outcomes) {
  RowCounts rows;
  for (const KeyValueId row : h.rows(op)) {
    const auto changed = outcomes.of(op, h.key(row));
    ++(!changed ? rows.open : *changed ? rows.changed : rows.left);
  }
  return rows;
}

bool may_have_its_count(const History& h, OpId op, const RowCounts& rows) {
  const auto count = h.count(op);
  return !count || (rows.changed <= *count && *count <= rows.changed + rows.open);
}

RowOutcomes known_outcomes(const History& history) {
  return has_update_maybes(history) ? OutcomeFinder(history).find() : RowOutcomes();
}

std::vector<Invisible> open_rows(const History& h, const RowOutcomes& outcomes) {
  std::vector<Invisible> open;
  for (const OpId op : h.operations()) {
    if (h.kind(op) != OpKind::UpdateMaybe) continue;
    for (const KeyValueId row : h.rows(op))
      if (!outcomes.of(op, h.key(row))) open.push_back({op, h.key(row)});
  }
  std::ranges::sort(open);
  return open;
}

}  // namespace assay
