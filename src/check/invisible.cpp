#include "check/invisible.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "history/row_table.h"
#include "history/statements.h"

namespace assay {
namespace {

class Replay {
 public:
  Replay(const History& history, std::size_t per_writer)
      : h_(history), per_writer_(per_writer), table_(history), said_(table_.size()) {}

  std::vector<Invisible> run(const Order& order) {
    const bool snapshots = std::ranges::any_of(order, [](const Point& p) { return !p.commit; });
    for (const Point& p : order) {
      if (!p.commit || !snapshots) read(p.txn);
      if (p.commit)
        for (const OpId op : h_.operations(p.txn)) write(op, p.txn);
    }
    std::ranges::sort(broken_);
    return std::move(broken_);
  }

 private:
  void write(OpId op, TxnId t) {
    each_write(h_, op, [&](KeyId key, KeyValueId value) { table_.put(key, {value, t}); });
  }

  // Runs the statements, each on the writes before it, and takes the writes back.
  void read(TxnId t) {
    const auto operations = h_.operations(t);
    OpId behind_last = operations.first;
    for (const OpId op : operations)
      if (is_statement(h_.kind(op))) behind_last = OpId(op.index() + 1);
    spoilt_by_.clear();
    before_.clear();
    for (OpId op = operations.first; op < behind_last; op = OpId(op.index() + 1)) {
      if (is_statement(h_.kind(op))) look(op);
      if (op.index() + 1 == behind_last.index()) break;
      each_write(h_, op, [&](KeyId key, KeyValueId) { before_.push_back({key, table_.row(key)}); });
      write(op, t);
    }
    for (auto row = before_.rbegin(); row != before_.rend(); ++row) table_.put(row->first, row->second);
  }

  void look(OpId op) {
    const bool is_scan = h_.kind(op) == OpKind::Scan;
    const auto [first, last] = is_scan ? table_.places(h_.bounds(op)) : std::pair<std::size_t, std::size_t>(0, table_.size());
    const std::uint8_t* matches = table_.exists().data();
    if (!is_scan) {
      RowTest(h_, h_.predicate(op)).ask_all(table_, matches_);
      matches = matches_.data();
    }
    for (const KeyValueId row : h_.rows(op)) said_[table_.place(h_.key(row))] = 1;
    if (!table_.is_known() || (last > first && std::memcmp(matches + first, said_.data() + first, last - first) != 0))
      for (std::size_t place = first; place < last; ++place) {
        const RowTable::Row& row = table_.row(table_.key(place));
        if (matches[place] == said_[place] && !row.value.is_none()) continue;
        if (said_[place] && h_.kind(op) != OpKind::Update) continue;  // it says the value
        if (spoilt_by_[row.writer]++ < per_writer_) broken_.push_back({op, table_.key(place)});
      }
    for (const KeyValueId row : h_.rows(op)) said_[table_.place(h_.key(row))] = 0;
  }

  const History& h_;
  const std::size_t per_writer_;
  RowTable table_;
  std::vector<std::uint8_t> said_;     // by place: whether the statement at hand lists it
  std::vector<std::uint8_t> matches_;  // by place
  std::vector<std::pair<KeyId, RowTable::Row>> before_;
  std::map<TxnId, std::size_t> spoilt_by_;
  std::vector<Invisible> broken_;
};

}  // namespace

std::vector<Invisible> broken_invisible_reads(const History& history, const Order& order, std::size_t per_writer) {
  return Replay(history, per_writer).run(order);
}

}  // namespace assay
