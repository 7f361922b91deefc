#include "history/statements.h"

namespace assay {
namespace {

// The keys in a statement's range, and what it says about each.
class Statement {
 public:
  Statement(const History& history, OpId op, std::span<const KeyId> table, std::span<const Truth> truths)
      : h_(history), op_(op), kind_(history.kind(op)), table_(table), truths_(truths) {
    if (kind_ == OpKind::Scan) bounds_ = h_.bounds(op);
    for (const KeyValueId row : h_.rows(op)) listed_.push_back(h_.key(row));
    std::ranges::sort(listed_);
  }

  // Calls visit(key, whether it matched) for each invisible read of the statement, in the order of keys.
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

 private:
  const History& h_;
  OpId op_;
  OpKind kind_;
  std::span<const KeyId> table_;
  std::span<const Truth> truths_;
  KeyBounds bounds_;
  std::vector<KeyId> listed_;
};

// All keys except lists, in order.
std::vector<KeyId> table_of(const History& h) {
  std::vector<KeyId> table;
  for (const KeyId key : h.keys())
    if (!h.is_list(key)) table.push_back(key);
  return table;
}

}  // namespace

std::function<bool(KeyValueId)> possible_values(const History& h, Invisible read,
                                                std::span<const Truth> truths) {
  const bool matched = h.kind(read.op) == OpKind::UpdateMaybe
                           ? find_truth(truths, read).value()
                           : std::ranges::find(h.rows(read.op), read.key, [&](KeyValueId row) {
                               return h.key(row);
                             }) != h.rows(read.op).end();
  if (h.kind(read.op) == OpKind::Scan)
    return [&h, matched](KeyValueId v) { return !h.value(v).is_null() == matched; };
  return [&h, matched, key = read.key, test = RowTest(h, h.predicate(read.op))](KeyValueId v) {
    return test(key, h.value(v)) == matched;
  };
}

Result<Items> itemize_asked(const History& h, Completion asked) {
  ASSAY_TRY(check_predicates(h));
  const Truths truths = truths_of(h);
  for (const Truth& truth : asked.truths)
    if (!std::ranges::binary_search(truths.open, truth.row()))
      return error(
          "a took or left line is about a row of which that is known, or that no update-maybe lists");
  asked.truths = with_known(truths, asked.truths);
  const std::vector<Invisible> separate =
      asked.rows.empty() ? std::vector<Invisible>() : separate_rows(h, truths);
  for (const Invisible& row : asked.rows)
    if (!std::ranges::binary_search(separate, row) || find_truth(asked.truths, row))
      return error(
          "a row line is about a row of which it is known or supposed whether it was changed, or that is not "
          "by itself in its transaction");
  const std::vector<KeyId> table = table_of(h);
  for (auto next = asked.reads.begin(); next != asked.reads.end();) {
    if (!is_statement(h.kind(next->op))) return error("a read line names an operation without rows");
    std::vector<KeyId> keys;
    Statement(h, next->op, table, asked.truths).each_invisible([&](KeyId key, bool) { keys.push_back(key); });
    for (const OpId op = next->op; next != asked.reads.end() && next->op == op; ++next)
      if (!std::ranges::binary_search(keys, next->key))
        return error("a read line names a key of which the statement says the value, or nothing");
  }
  return itemize(h, std::move(asked));
}

}  // namespace assay
