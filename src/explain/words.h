// Transactions, keys and values in sentences, as the input calls them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "history/history.h"
#include "isolation/level.h"
#include "verdict/proof.h"

namespace assay {

class Words {
 public:
  // `values`: by operation, what it wrote or read. `skew`: by how much clocks may differ.
  Words(const History& history, std::span<const std::string> values, std::int64_t skew = 0)
      : h_(history), values_(values), skew_(skew) {}

  std::string of(TxnId t) const;    // T1; transaction 17, where the name is a number
  std::string of(KeyId key) const;  // x; key 5
  // x=1, key 5=1, l=[1 2]: what an operation wrote or read.
  std::string of(OpId op) const;
  const std::string& value(OpId op) const { return values_[op.index()]; }  // 1, [1 2]

  // A sentence that begins with one of these words, with a capital. Names stay as they are.
  static std::string sentence(std::string text);

  // did not find x among the rows where v = 2: what a read of one of several values says, after its reader's
  // name.
  std::string met(OpId read) const;

  std::string session_order(TxnId first, TxnId second) const;
  std::string read_from(OpId read, TxnId writer) const;
  // The writer is none() where the initial version was read.
  std::string read_older(OpId read, TxnId writer, OpId overwriting) const;
  std::string shown(OpId list, OpId first, OpId second) const;
  std::string wrote_before(TxnId first, TxnId second, KeyId key) const;  // without a full stop
  std::string was_before(Point first, Point second) const;               // the same, of commits and snapshots
  std::string real_time(Point first, Point second, Level level) const;

  // The writers are all that a read may be from; none() is the initial transaction.
  std::string several_wrote(OpId read, std::span<const TxnId> writers) const;
  // "T1, T2 and T3"; of many the first ones. `goes_on`: something else comes behind them.
  static std::string list(std::span<const std::string> names, bool goes_on);
  std::string if_from(TxnId writer) const;  // "If it is from T1"

 private:
  std::string only_some(OpId read, std::span<const std::string> writers, bool is_initial) const;
  const History& h_;
  std::span<const std::string> values_;
  std::int64_t skew_;
};

// What the operations of a part wrote or read in the whole history, where they are `origin`. A long list is
// left with the elements that it has in the part, and an ellipsis for each run of others.
std::vector<std::string> values_of(const History& part, const History& whole, std::span<const OpId> origin);

}  // namespace assay
