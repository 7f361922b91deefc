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
      : h_(history), invisible_(invisible), values_(history), imported_(history.key_value_count()) {}

  Result<Items> run() {
    ASSAY_TRY(check_predicates(h_));
    b_.set_note(h_.note());
    for (const SessionId s : h_.sessions()) b_.session(scalar(h_.name(s)));
    for (const KeyId key : h_.keys()) b_.key(scalar(h_.name(key)));
    for (const TxnId t : h_.transactions()) ASSAY_TRY(transaction(t));
    initial_values();
    auto built = std::move(b_).build();
    if (!built) return std::move(built).error();
    return Items{std::move(built).value(), std::move(origin_), {invisible_.begin(), invisible_.end()}};
  }

 private:
  Scalar scalar(Scalar s) { return b_.pool().import(s, h_.pool()); }
  // Most values are said more than once.
  Scalar value(KeyValueId kv) {
    auto& known = imported_[kv.index()];
    if (!known) known = scalar(h_.value(kv));
    return *known;
  }

  Result<void> transaction(TxnId t) {
    for (const OpId op : h_.operations(t)) {
      first_of_statement_ = true;
      ASSAY_TRY(operation(op));
    }
    const auto name = h_.name(t);
    return b_.finish({.session = b_.session(scalar(h_.name(h_.session(t)))),
                      .name = name ? std::optional(scalar(*name)) : std::nullopt,
                      .outcome = h_.outcome(t),
                      .instants = h_.instants(t)});
  }

  Result<void> operation(OpId op) {
    switch (h_.kind(op)) {
      case OpKind::Read: item(op), b_.read(h_.key(op), value(h_.value(op))); break;
      case OpKind::Write: item(op), b_.write(h_.key(op), value(h_.value(op))); break;
      case OpKind::Append: item(op), b_.append(h_.key(op), value(h_.value(op))); break;
      case OpKind::ListRead: item(op), b_.list_read(h_.key(op), rows(op)); break;
      case OpKind::ReadOneOf: item(op), b_.read_one_of(h_.key(op), rows(op)); break;
      case OpKind::Insert:
        one_of(op, h_.key(op), {}, [](Scalar v) { return v.is_null(); });
        item(op), b_.write(h_.key(op), value(h_.value(op)));
        break;
      case OpKind::Delete: remove(op); break;
      case OpKind::Scan:
      case OpKind::Select: query(op); break;
      case OpKind::Update: update(op); break;
      case OpKind::UpdateMaybe:
        return error(fmt::format("transaction {} has an update-maybe", h_.display(transaction_of(op))),
                     "check judges updates whose rows are known");
    }
    return {};
  }

  TxnId transaction_of(OpId op) const {
    for (const TxnId t : h_.transactions())
      if (op < h_.operations(t).last) return t;
    return TxnId::none();
  }

  // Before each operation that is made.
  void item(OpId op) {
    if (!std::exchange(first_of_statement_, false)) b_.same_statement();
    origin_.push_back(op);
  }

  std::vector<Scalar> rows(OpId op) {
    std::vector<Scalar> result;
    for (const KeyValueId kv : h_.rows(op)) result.push_back(value(kv));
    return result;
  }

  template <class Accepts>
  void one_of(OpId op, KeyId key, std::optional<bool> matched, Accepts accepts) {
    std::vector<Scalar> possible;
    for (const KeyValueId kv : values_.of(key))
      if (accepts(h_.value(kv))) possible.push_back(value(kv));
    item(op);
    std::vector<PredicateNode> why;
    if (has_predicate(h_.kind(op)))
      for (PredicateNode node : h_.predicate(op)) {
        node.scalar = scalar(node.scalar);
        why.push_back(node);
      }
    KeyBounds bounds;
    if (h_.kind(op) == OpKind::Scan) bounds = {scalar(h_.bounds(op).low), scalar(h_.bounds(op).high)};
    b_.read_one_of(key, possible, matched, why, bounds);
  }

  void remove(OpId op) {
    const auto found = h_.found(op);
    if (found) one_of(op, h_.key(op), {}, [&](Scalar v) { return v.is_null() != *found; });
    if (found && !*found) return;
    item(op);
    b_.remove(h_.key(op));
  }

  void query(OpId op) {
    for (const KeyValueId kv : h_.rows(op)) item(op), b_.read(h_.key(kv), value(kv));
    invisible_reads(op);
  }

  void update(OpId op) {
    invisible_reads(op);
    for (const KeyValueId kv : h_.rows(op)) item(op), b_.write(h_.key(kv), value(kv));
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

  void initial_values() {
    const auto fallback = h_.default_initial();
    b_.set_initial(fallback ? std::optional(scalar(*fallback)) : std::nullopt);
    for (const KeyId key : h_.keys())
      if (const KeyValueId initial = h_.initial_value(key);
          !initial.is_none() && !(fallback && h_.value(initial) == *fallback))
        b_.set_initial(key, value(initial));
  }

  const History& h_;
  std::span<const Invisible> invisible_;
  const ValuesOfKeys values_;
  HistoryBuilder b_;
  std::vector<std::optional<Scalar>> imported_;  // by value
  std::vector<OpId> origin_;
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
