#include "verdict/certify_statements.h"

#include <fmt/format.h>

#include <algorithm>

#include "history/matches.h"
#include "history/row_table.h"
#include "verdict/certify_reads.h"

namespace assay {
namespace {

class Table {
 public:
  explicit Table(const History& history) : h_(history), table_(history), found_(table_.size()) {}

  // In the order of the operations.
  void run(OpId op) {
    switch (h_.kind(op)) {
      case OpKind::Write:
      case OpKind::Insert: return put(h_.value(op));
      case OpKind::Delete:
        if (h_.found(op) != false) put(h_.value(op));
        return;
      case OpKind::Update:
        for (const KeyValueId row : h_.rows(op)) put(row);
        return;
      default: return;
    }
  }

  Result<void> check(OpId op) {
    const OpKind kind = h_.kind(op);
    if (kind != OpKind::Scan && kind != OpKind::Select && kind != OpKind::Update) return {};
    std::pair<std::size_t, std::size_t> places(0, table_.size());
    std::span<const std::uint8_t> matches = table_.exists();
    if (kind == OpKind::Scan) {
      places = table_.places(h_.bounds(op));
    } else {
      RowTest(h_, h_.predicate(op)).ask_all(table_, matches_);
      matches = matches_;
    }
    for (const KeyValueId row : h_.rows(op)) found_[table_.place(h_.key(row))] = 1;
    std::optional<std::size_t> wrong;
    for (std::size_t place = places.first; place < places.second && !wrong; ++place)
      if (matches[place] != found_[place] || (!table_.is_known() && is_unknown(place))) wrong = place;
    for (const KeyValueId row : h_.rows(op)) found_[table_.place(h_.key(row))] = 0;
    if (!wrong) return {};
    const std::string key = h_.display(table_.key(*wrong));
    if (is_unknown(*wrong)) return error(fmt::format("statement {} meets key {} before anything was there", called(h_, op), key));
    return error(fmt::format("statement {} {} key {}, which {} then", called(h_, op),
                             matches[*wrong] ? "did not find" : "found", key, matches[*wrong] ? "matched" : "did not match"));
  }

  // Runs the statements of a transaction, and takes back what it wrote.
  Result<void> look(TxnId t) {
    std::vector<std::pair<KeyId, RowTable::Row>> before;
    before_ = &before;
    Result<void> result;
    for (const OpId op : h_.operations(t)) {
      if (result) result = check(op);
      run(op);
    }
    before_ = nullptr;
    for (auto change = before.rbegin(); change != before.rend(); ++change) table_.put(change->first, change->second);
    return result;
  }

 private:
  void put(KeyValueId value) {
    const KeyId key = h_.key(value);
    if (before_) before_->push_back({key, table_.row(key)});
    table_.put(key, {value, TxnId::none()});
  }

  bool is_unknown(std::size_t place) const { return table_.row(table_.key(place)).value.is_none(); }

  const History& h_;
  RowTable table_;
  std::vector<std::uint8_t> found_, matches_;  // by place
  std::vector<std::pair<KeyId, RowTable::Row>>* before_ = nullptr;
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
