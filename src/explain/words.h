// The sentences of explanations, with transactions, keys and values named as in the input.
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
  // `values`: by operation, what it wrote or read. `skew`: the most by which clocks may differ.
  Words(const History& history, std::span<const std::string> values, std::int64_t skew = 0)
      : h_(history), values_(values), skew_(skew) {}

  std::string of(TxnId t) const;    // T1, or "transaction 17" when the name is a number
  std::string of(KeyId key) const;  // x; key 5
  // What an operation wrote or read: x=1, key 5=1, l=[1 2].
  std::string of(OpId op) const;
  const std::string& value(OpId op) const { return values_[op.index()]; }  // 1, [1 2]

  // Makes a sentence of a text: its first letter becomes a capital, unless the text begins with a name.
  static std::string sentence(std::string text);

  // The result of a ReadOneOf, to follow the reader's name: "did not find x among the rows where v = 2".
  std::string met(OpId read) const;

  std::string session_order(TxnId first, TxnId second) const;
  std::string read_from(OpId read, TxnId writer) const;
  // The writer is none() if the read returned the initial version.
  std::string read_older(OpId read, TxnId writer, OpId overwriting) const;
  std::string shown(OpId list, OpId first, OpId second) const;
  std::string wrote_before(TxnId first, TxnId second, KeyId key) const;  // without a full stop
  std::string was_before(Point first, Point second) const;               // of points; without a full stop
  std::string real_time(Point first, Point second, Level level) const;

  // `writers`: all candidate writers of the read; none() is the initial transaction.
  std::string several_wrote(OpId read, std::span<const TxnId> writers) const;
  // "T1, T2 and T3"; only the first ones of many. `goes_on`: the caller will append another item.
  static std::string list(std::span<const std::string> names, bool goes_on);
  std::string if_from(TxnId writer) const;  // "If it is from T1"

 private:
  std::string only_some(OpId read, std::span<const std::string> writers, bool is_initial) const;
  const History& h_;
  std::span<const std::string> values_;
  std::int64_t skew_;
};

// What each operation of a part wrote or read in the whole history; `origin` has its id there. A long list is
// abridged to the elements that it has in the part, with an ellipsis for each run of others.
std::vector<std::string> values_of(const History& part, const History& whole, std::span<const OpId> origin);

}  // namespace assay
