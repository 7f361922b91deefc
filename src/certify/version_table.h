// The versions of all keys at one moment. Runs statements on them, and compares the result with what the
// statement reported.
//
//     VersionTable table(history, outcomes);
//     table.run(t, [&](OpId statement) { table.each_unsaid(statement, ...); });    // the statements of t
//     table.commit(t);                                                             // the writes of t
//
// Only the checker uses it; the search replays with history/statement_replay.h. Cost: one pass over all keys
// for a statement with a predicate, one over the keys in its range for a scan.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "certify/items.h"
#include "certify/predicate_tree.h"

namespace assay {

class VersionTable {
 public:
  struct Version {
    KeyValueId value;  // none(): nothing was written, and the initial value is unknown
    TxnId writer;      // none(): the initial transaction
  };

  // Starts in the initial state. The outcomes of all committed transactions to be replayed must be known.
  VersionTable(const History& history, const RowOutcomes& outcomes);

  const Version& at(KeyId key) const { return versions_[row_[key.index()]]; }
  void commit(TxnId t) {
    commit_over(t, [](TxnId) { return true; });
  }
  // Replaces only versions whose writers come before t.
  template <class ComesAfter>
  void commit_over(TxnId t, ComesAfter comes_after) {
    for (const OpId op : h_->operations(t))
      each_written(*h_, op, *outcomes_, [&](KeyId key, KeyValueId value) {
        if (comes_after(at(key).writer)) put(key, {value, t});
      });
  }

  // Calls visit(statement) for each statement of the transaction, on the table with the transaction's own
  // earlier writes. Undoes these afterwards.
  template <class Visit>
  void run(TxnId t, Visit visit) {
    std::vector<std::pair<KeyId, Version>> before;
    const auto operations = h_->operations(t);
    auto beyond = operations.last;  // one past the last statement
    while (beyond != operations.first && !ranges_over_rows(h_->kind(OpId(beyond.value - 1))))
      beyond = OpId(beyond.value - 1);
    for (OpId op = operations.first; op < beyond; op = OpId(op.value + 1)) {
      if (ranges_over_rows(h_->kind(op))) visit(op);
      each_written(*h_, op, *outcomes_, [&](KeyId key, KeyValueId value) {
        before.emplace_back(key, at(key));
        put(key, {value, t});
      });
    }
    for (; !before.empty(); before.pop_back()) put(before.back().first, before.back().second);
  }

  // Calls visit(key, said, is_so) for each key of which the statement says only whether it matched: `said` is
  // what it says, `is_so` whether that is right.
  template <class Visit>
  void each_unsaid(OpId statement, Visit visit) {
    if (h_->kind(statement) == OpKind::UpdateMaybe) return each_row_of_maybe(statement, visit);
    find(statement);
    for (std::size_t row = first_; row < beyond_; ++row) visit_unsaid(statement, row, visit);
    forget(statement);
  }
  // Visits only wrong answers. A single comparison finds the usual case that there are none.
  template <class Visit>
  void each_wrong(OpId statement, Visit visit) {
    const auto only_wrong = [&](KeyId key, bool said, bool is_so) {
      if (!is_so) visit(key, said);
    };
    if (h_->kind(statement) == OpKind::UpdateMaybe) return each_row_of_maybe(statement, only_wrong);
    find(statement);
    if (unknown_ > 0 || !is_all_as_said())
      for (std::size_t row = first_; row < beyond_; ++row) visit_unsaid(statement, row, only_wrong);
    forget(statement);
  }

 private:
  void put(KeyId key, Version version);
  const ColumnCells& cells_of(Scalar column) const;
  void find(OpId statement);
  void forget(OpId statement);
  bool is_all_as_said() const;

  template <class Visit>
  void visit_unsaid(OpId statement, std::size_t row, Visit& visit) const {
    const bool said = said_[row] != 0;
    if (said && h_->kind(statement) != OpKind::Update) return;  // it says the value
    visit(keys_[row], said, found_[row] == said_[row] && !versions_[row].value.is_none());
  }

  template <class Visit>
  void each_row_of_maybe(OpId statement, Visit visit) const {
    const PredicateTree tree(*h_, h_->predicate(statement));
    for (const KeyValueId listed : h_->rows(statement)) {
      const KeyId key = h_->key(listed);
      const auto changed = outcomes_->of(statement, key);
      if (!changed) continue;
      const KeyValueId met = at(key).value;
      visit(key, *changed, !met.is_none() && tree.matches(key, h_->value(met)) == *changed);
    }
  }

  const History* h_;
  const RowOutcomes* outcomes_;
  std::vector<KeyId> keys_;         // by row, in the order of their names
  std::vector<std::uint32_t> row_;  // by key: its row
  std::vector<Version> versions_;   // by row, as is the next one
  std::vector<std::uint8_t> is_there_;
  std::size_t unknown_ = 0;  // rows without a known value
  std::vector<ColumnName> columns_;
  std::vector<ColumnCells> cells_;  // by column
  // For the current statement: the rows in its range, those that match, and those that it lists.
  std::size_t first_ = 0, beyond_ = 0;
  std::vector<std::uint8_t> found_, said_;
};

}  // namespace assay
