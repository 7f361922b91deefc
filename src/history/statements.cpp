#include "history/statements.h"

#include "history/values_of_keys.h"

namespace assay {
namespace {

// What a statement ranges over, and what it says of each key.
class Statement {
 public:
  Statement(const History& history, OpId op, std::span<const KeyId> table, std::span<const Truth> truths)
      : h_(history), op_(op), kind_(history.kind(op)), table_(table), truths_(truths) {
    if (kind_ == OpKind::Scan) bounds_ = h_.bounds(op);
    else test_.emplace(h_, h_.predicate(op));
    for (const KeyValueId row : h_.rows(op)) listed_.push_back(h_.key(row));
    std::ranges::sort(listed_);
  }

  // Calls visit(key, whether it matched) for each key of which it does not say the value, in order.
  template <class Visit>
  void each_invisible(Visit visit) const {
    if (kind_ == OpKind::UpdateMaybe) {
      for (const KeyId key : listed_)
        if (const auto took = find_truth(truths_, {op_, key})) visit(key, *took);
      return;
    }
    auto next = listed_.begin();
    for (const KeyId key : table_) {
      while (next != listed_.end() && *next < key) ++next;
      const bool listed = next != listed_.end() && *next == key;
      if (listed && kind_ != OpKind::Update) continue;
      if (kind_ == OpKind::Scan && !in_bounds(h_, bounds_, key)) continue;
      visit(key, listed);
    }
  }

  bool matches(KeyId key, KeyValueId value) const {
    return test_ ? (*test_)(key, h_.value(value)) : !h_.value(value).is_null();
  }

 private:
  const History& h_;
  OpId op_;
  OpKind kind_;
  std::span<const KeyId> table_;
  std::span<const Truth> truths_;
  std::optional<RowTest> test_;
  KeyBounds bounds_;
  std::vector<KeyId> listed_;
};

// All keys that are no lists, in order.
std::vector<KeyId> table_of(const History& h) {
  std::vector<KeyId> table;
  for (const KeyId key : h.keys())
    if (!h.is_list(key)) table.push_back(key);
  return table;
}

}  // namespace

Result<Items> itemize_asked(const History& h, Completion asked) {
  ASSAY_TRY(check_predicates(h));
  const Truths truths = truths_of(h);
  for (const Truth& truth : asked.truths)
    if (!std::ranges::binary_search(truths.open, truth.row())) return error("a took or left line is about a row of which that is known, or that no update-maybe lists");
  asked.truths = with_known(truths, asked.truths);
  const std::vector<KeyId> table = table_of(h);
  for (auto next = asked.reads.begin(); next != asked.reads.end();) {
    if (!is_statement(h.kind(next->op))) return error("a read line names an operation without rows");
    std::vector<KeyId> keys;
    Statement(h, next->op, table, asked.truths).each_invisible([&](KeyId key, bool) { keys.push_back(key); });
    for (const OpId op = next->op; next != asked.reads.end() && next->op == op; ++next)
      if (!std::ranges::binary_search(keys, next->key)) return error("a read line names a key of which the statement says the value, or nothing");
  }
  return itemize(h, std::move(asked));
}

std::optional<std::vector<Invisible>> all_invisible_reads(const History& h, std::span<const Truth> truths, std::size_t most) {
  const std::vector<KeyId> table = table_of(h);
  const ValuesOfKeys values(h);
  std::vector<Invisible> all;
  for (const TxnId t : h.transactions()) {
    if (h.outcome(t) == Outcome::Aborted) continue;
    for (const OpId op : h.operations(t)) {
      if (!is_statement(h.kind(op))) continue;
      const Statement statement(h, op, table, truths);
      statement.each_invisible([&](KeyId key, bool matched) {
        const bool can_break = h.initial_value(key).is_none() || std::ranges::any_of(values.of(key), [&](KeyValueId v) {
          return statement.matches(key, v) != matched;
        });
        if (can_break && all.size() <= most) all.push_back({op, key});
      });
      if (all.size() > most) return std::nullopt;
    }
  }
  return all;
}

}  // namespace assay
