// What the lines of a proof say, found in one pass: the order each establishes, which suppositions a line
// closes, and for a clause that is used, which lines rule its other literals out.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "verdict/certify_reads.h"
#include "verdict/proof.h"

namespace assay {

// What suppositions are about: a commits before b.
struct CommitOrder {
  TxnId a, b;
  friend auto operator<=>(const CommitOrder&, const CommitOrder&) = default;
};

class ProofOutline {
 public:
  ProofOutline(const History& history, Level level, const Proof& proof);

  const ProofLine& line(LineId id) const { return *entries_.at(id).line; }
  LineId last() const { return entries_.rbegin()->first; }
  bool is_supposing(LineId id) const { return entries_.at(id).supposing; }  // within a scope

  // Of a Unit line, and of one that closes a scope of one supposition: the order it establishes.
  CommitOrder left(LineId id) const { return *entries_.at(id).order; }
  // Of a Unit or Falsified line: each supposition of the clause, with the line that says so; 0 for the one
  // that is left open.
  const std::vector<std::pair<CommitOrder, LineId>>& used(LineId id) const { return entries_.at(id).used; }

  TxnId reader(OpId read) const { return reads_.transaction(read); }
  TxnId writer(OpId read) const { return reads_.writer(read).txn; }  // none: the initial transaction
  bool writes(TxnId t, KeyId key) const { return reads_.writes(t, key); }

 private:
  struct Entry {
    const ProofLine* line;
    bool supposing = false;
    Point from{}, to{};
    std::optional<CommitOrder> order{};   // where it is between commits
    std::vector<CommitOrder> supposed{};  // in the scope that it closes
    std::vector<std::pair<CommitOrder, LineId>> used{};
  };

  void find_ends(Entry& entry) const;
  void use_clause(Entry& entry);

  Reads reads_;
  bool two_points_;
  std::map<LineId, Entry> entries_;
  std::map<CommitOrder, std::vector<LineId>> open_;  // the open lines that say so
};

}  // namespace assay
