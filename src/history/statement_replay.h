// Replays statements on a table and compares what they would find there with what the history says they
// found.
//
//     StatementReplay replay(history, truths);
//     replay.run(t, [&](OpId statement) { replay.each_broken(statement, ...); });      // t's reads
//     replay.commit(t);                                                                // its writes
//
// Cost: a statement takes one pass over the rows in its range (table_state.h).
#pragma once

#include <cstring>

#include "history/statements.h"
#include "history/table_state.h"

namespace assay {

class StatementReplay {
 public:
  // Begins with the initial state. `truths`: the outcomes of rows of update-maybes (completion.h).
  StatementReplay(const History& history, std::span<const Truth> truths)
      : h_(history), truths_(truths), table_(history), said_(table_.size()) {}

  const TableState& table() const { return table_; }

  void commit(TxnId t) {
    for (const OpId op : h_.operations(t)) write(op, t);
  }

  // Applies only the writes of keys whose present version was written by a transaction for which
  // may_replace(writer) holds.
  template <class MayReplace>
  void commit_where(TxnId t, MayReplace may_replace) {
    for (const OpId op : h_.operations(t))
      each_write(h_, op, truths_, [&](KeyId key, KeyValueId value) {
        if (may_replace(table_.row(key).writer)) table_.put(key, {value, t});
      });
  }

  // Calls visit(statement) for each statement of the transaction, on the table as it is after the
  // transaction's earlier writes. Restores the table afterwards.
  template <class Visit>
  void run(TxnId t, Visit visit) {
    const auto operations = h_.operations(t);
    std::size_t statements = 0;
    for (const OpId op : operations) statements += is_statement(h_.kind(op));
    before_.clear();
    for (const OpId op : operations) {
      if (statements == 0) break;
      if (is_statement(h_.kind(op))) {
        visit(op);
        if (--statements == 0) break;
      }
      each_write(h_, op, truths_, [&](KeyId key, KeyValueId) { before_.push_back({key, table_.row(key)}); });
      write(op, t);
    }
    for (auto row = before_.rbegin(); row != before_.rend(); ++row) table_.put(row->first, row->second);
  }

  // Calls visit(key, matched, fits) for each invisible read of the statement: `matched` is what the history
  // says about the key, `fits` whether the table agrees.
  template <class Visit>
  void each_invisible(OpId op, Visit visit) {
    look(op, false, visit);
  }
  // Calls visit(key, matched) for each invisible read that the table contradicts.
  template <class Visit>
  void each_broken(OpId op, Visit visit) {
    look(op, true, [&](KeyId key, bool matched, bool fits) {
      if (!fits) visit(key, matched);
    });
  }

 private:
  void write(OpId op, TxnId t) {
    each_write(h_, op, truths_, [&](KeyId key, KeyValueId value) { table_.put(key, {value, t}); });
  }

  template <class Visit>
  void look(OpId op, bool only_broken, Visit visit) {
    const OpKind kind = h_.kind(op);
    std::pair<std::size_t, std::size_t> range(0, table_.size());
    const std::uint8_t* matches = table_.exists().data();
    if (kind == OpKind::Scan) {
      range = table_.places(h_.bounds(op));
    } else {
      RowTest(h_, h_.predicate(op)).ask_all(table_, matches_);
      matches = matches_.data();
    }
    const auto fits = [&](std::size_t place, bool said) {
      return (matches[place] != 0) == said && !table_.row(table_.key(place)).value.is_none();
    };
    if (kind == OpKind::UpdateMaybe) {
      const auto truths = truths_of_operation(truths_, op);
      for (const KeyValueId row : h_.rows(op))
        if (const auto took = find_truth(truths, {op, h_.key(row)}))
          visit(h_.key(row), *took, fits(table_.place(h_.key(row)), *took));
      return;
    }
    const auto [first, last] = range;
    for (const KeyValueId row : h_.rows(op)) said_[table_.place(h_.key(row))] = 1;
    const bool all_fit =
        table_.is_known() &&
        (first == last || std::memcmp(matches + first, said_.data() + first, last - first) == 0);
    for (std::size_t place = first; place < last && !(only_broken && all_fit); ++place) {
      const bool said = said_[place] != 0;
      if (!said || kind == OpKind::Update) visit(table_.key(place), said, fits(place, said));
    }
    for (const KeyValueId row : h_.rows(op)) said_[table_.place(h_.key(row))] = 0;
  }

  const History& h_;
  std::span<const Truth> truths_;
  TableState table_;
  std::vector<std::uint8_t> said_;     // by place: whether the current statement lists the key
  std::vector<std::uint8_t> matches_;  // by place
  std::vector<std::pair<KeyId, TableState::Row>> before_;
};

}  // namespace assay
