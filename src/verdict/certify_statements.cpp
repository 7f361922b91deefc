#include "verdict/certify_statements.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "history/matches.h"
#include "verdict/certify_reads.h"

namespace assay {
namespace {

class Table {
 public:
  explicit Table(const History& history) : h_(history) {
    for (const KeyId key : h_.keys())
      rows_.push_back(h_.initial_value(key).is_none() ? std::nullopt : std::optional(h_.value(h_.initial_value(key))));
  }

  // In the order of the operations.
  void run(OpId op) {
    switch (h_.kind(op)) {
      case OpKind::Write:
      case OpKind::Insert: return put(h_.key(op), h_.value(h_.value(op)));
      case OpKind::Delete:
        if (h_.found(op) != false) put(h_.key(op), Scalar::null());
        return;
      case OpKind::Update:
        for (const KeyValueId row : h_.rows(op)) put(h_.key(row), h_.value(row));
        return;
      default: return;
    }
  }

  Result<void> check(OpId op) const {
    const OpKind kind = h_.kind(op);
    if (kind != OpKind::Scan && kind != OpKind::Select && kind != OpKind::Update) return {};
    std::set<KeyId> found;
    for (const KeyValueId row : h_.rows(op)) found.insert(h_.key(row));
    std::optional<RowTest> test;
    if (kind != OpKind::Scan) test.emplace(h_, h_.predicate(op));
    for (const KeyId key : h_.keys()) {
      if (h_.is_list(key) || (!test && !in_bounds(h_, h_.bounds(op), key))) continue;
      const std::optional<Scalar>& row = rows_[key.index()];
      if (!row) return error(fmt::format("statement {} meets key {} before anything was there", called(h_, op), h_.display(key)));
      const bool matches = test ? (*test)(key, *row) : !row->is_null();
      if (matches != found.contains(key))
        return error(fmt::format("statement {} {} key {}, which {} then", called(h_, op),
                                 matches ? "did not find" : "found", h_.display(key), matches ? "matched" : "did not match"));
    }
    return {};
  }

  // Runs the statements of a transaction, and takes back what it wrote.
  Result<void> look(TxnId t) {
    std::vector<std::pair<KeyId, std::optional<Scalar>>> before;
    before_ = &before;
    Result<void> result;
    for (const OpId op : h_.operations(t)) {
      if (result) result = check(op);
      run(op);
    }
    before_ = nullptr;
    for (auto change = before.rbegin(); change != before.rend(); ++change) rows_[change->first.index()] = change->second;
    return result;
  }

 private:
  void put(KeyId key, Scalar value) {
    if (before_) before_->push_back({key, rows_[key.index()]});
    rows_[key.index()] = value;
  }

  const History& h_;
  std::vector<std::optional<Scalar>> rows_;  // by key; nothing: where there is no initial state
  std::vector<std::pair<KeyId, std::optional<Scalar>>>* before_ = nullptr;
};

}  // namespace

Result<void> certify_statements(const History& history, const Order& order) {
  Table table(history);
  const bool snapshots = std::ranges::any_of(order, [](const Point& p) { return !p.commit; });
  for (const Point& p : order) {
    if (!p.commit || !snapshots) ASSAY_TRY(table.look(p.txn));
    if (p.commit)
      for (const OpId op : history.operations(p.txn)) table.run(op);
  }
  return {};
}

}  // namespace assay
