#include "history/itemize.h"

#include <fmt/format.h>

#include <algorithm>

#include "history/builder.h"
#include "history/matches.h"

namespace assay {
namespace {

// By key, the values that it ever has.
class ValuesOfKeys {
 public:
  explicit ValuesOfKeys(const History& h) : begin_(h.key_count() + 1), values_(h.key_value_count()) {
    for (std::size_t v = 0; v < h.key_value_count(); ++v) ++begin_[h.key(KeyValueId(v)).index() + 1];
    for (std::size_t k = 1; k < begin_.size(); ++k) begin_[k] += begin_[k - 1];
    std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
    for (std::size_t v = 0; v < h.key_value_count(); ++v) values_[next[h.key(KeyValueId(v)).index()]++] = KeyValueId(v);
  }
  std::span<const KeyValueId> of(KeyId key) const {
    return {values_.data() + begin_[key.index()], begin_[key.index() + 1] - begin_[key.index()]};
  }

 private:
  std::vector<std::uint32_t> begin_;
  std::vector<KeyValueId> values_;
};

class Itemizer {
 public:
  Itemizer(const History& history, std::span<const Invisible> invisible)
      : h_(history), invisible_(invisible), values_(history), b_(HistoryBuilder::like(history)) {}

  Result<Items> run() {
    for (const TxnId t : h_.transactions()) ASSAY_TRY(transaction(t));
    auto built = std::move(b_).build();
    if (!built) return std::move(built).error();
    return Items{std::move(built).value(), std::move(origin_), {invisible_.begin(), invisible_.end()}};
  }

 private:
  Result<void> transaction(TxnId t) {
    for (const OpId op : h_.operations(t)) {
      first_of_statement_ = true;
      ASSAY_TRY(operation(op, t));
    }
    return b_.finish({.session = h_.session(t), .name = h_.name(t), .outcome = h_.outcome(t), .instants = h_.instants(t)});
  }

  Result<void> operation(OpId op, TxnId t) {
    const OpKind kind = h_.kind(op);
    switch (kind) {
      case OpKind::Read:
      case OpKind::Write:
      case OpKind::Append: single(op, kind, h_.value(op)); break;
      case OpKind::ListRead:
      case OpKind::ReadOneOf: item(op), b_.numbered(kind, h_.key(op), h_.rows(op)); break;
      case OpKind::Insert:
        one_of(op, h_.key(op), {}, [](Scalar v) { return v.is_null(); });
        single(op, OpKind::Write, h_.value(op));
        break;
      case OpKind::Delete: remove(op); break;
      case OpKind::Scan:
      case OpKind::Select:
        for (const KeyValueId row : h_.rows(op)) single(op, OpKind::Read, row);
        invisible_reads(op);
        break;
      case OpKind::Update:
        invisible_reads(op);
        for (const KeyValueId row : h_.rows(op)) single(op, OpKind::Write, row);
        break;
      case OpKind::UpdateMaybe:
        return error(fmt::format("transaction {} has an update-maybe", h_.display(t)),
                     "check judges updates whose rows are known");
    }
    return {};
  }

  // Before each operation that is made.
  void item(OpId op) {
    if (!std::exchange(first_of_statement_, false)) b_.same_statement();
    origin_.push_back(op);
  }

  void single(OpId op, OpKind kind, KeyValueId value) {
    item(op);
    b_.numbered(kind, value);
  }

  template <class Accepts>
  void one_of(OpId op, KeyId key, std::optional<bool> matched, Accepts accepts) {
    possible_.clear();
    for (const KeyValueId kv : values_.of(key))
      if (accepts(h_.value(kv))) possible_.push_back(kv);
    item(op);
    b_.numbered(OpKind::ReadOneOf, key, possible_, matched, has_predicate(h_.kind(op)) ? h_.predicate(op) : Predicate(),
                h_.kind(op) == OpKind::Scan ? h_.bounds(op) : KeyBounds());
  }

  void remove(OpId op) {
    const auto found = h_.found(op);
    if (found) one_of(op, h_.key(op), {}, [&](Scalar v) { return v.is_null() != *found; });
    if (found != false) single(op, OpKind::Delete, h_.value(op));
  }

  void invisible_reads(OpId op) {
    const auto asked = std::ranges::equal_range(invisible_, op, {}, &Invisible::op);
    if (asked.empty()) return;
    const bool scan = h_.kind(op) == OpKind::Scan;
    std::optional<RowTest> test;
    if (!scan) test.emplace(h_, h_.predicate(op));
    std::vector<KeyId> listed;
    for (const KeyValueId kv : h_.rows(op)) listed.push_back(h_.key(kv));
    std::ranges::sort(listed);
    for (const Invisible& read : asked) {
      const bool matched = std::ranges::binary_search(listed, read.key);
      one_of(op, read.key, matched, [&](Scalar v) { return (scan ? !v.is_null() : (*test)(read.key, v)) == matched; });
    }
  }

  const History& h_;
  std::span<const Invisible> invisible_;
  const ValuesOfKeys values_;
  HistoryBuilder b_;
  std::vector<OpId> origin_;
  std::vector<KeyValueId> possible_;  // scratch
  bool first_of_statement_ = true;
};

}  // namespace

bool has_rows_or_predicates(const History& history) {
  return std::ranges::any_of(history.operations(), [&](OpId op) { return history.kind(op) > OpKind::ReadOneOf; });
}

Result<Items> itemize(const History& history, std::span<const Invisible> invisible) {
  return Itemizer(history, invisible).run();
}

}  // namespace assay
