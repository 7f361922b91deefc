// Lists: what a read shows of the versions of its key, and of their order.
//
// The appends of a transaction to a key are one version, a block of elements. A list read is right when it
// consists of whole blocks of transactions that may have committed, and at its end the reader's own elements
// so far; what comes before these, the external part, was read from the writer of its last block. All reads
// of a key must be prefixes of its longest one, which therefore says all that is known of the version order:
// its blocks follow one another, and every other append to the key comes after them. What else a transaction
// that may count reads is shown if it does.
//
// Cost: linear in the total length of the lists.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "dependency/read_facts.h"

namespace assay {

class Lists {
 public:
  using List = std::span<const KeyValueId>;
  struct Wrong {
    Anomaly anomaly;
    TxnId other;  // whose element it is about, or none
  };

  // Histories without lists cost nothing.
  Lists(const History& history, const Versions& versions);

  TxnId writer(KeyValueId element) const { return elements_[element.index()].writer; }
  VersionId version(KeyValueId element) const { return elements_[element.index()].version; }
  // An element that was appended more than once: nobody can say which one a read shows.
  bool has_repeated() const { return has_repeated_; }
  bool is_repeated(KeyValueId element) const { return elements_[element.index()].repeated; }

  // What is wrong with a list whose last elements should be `own`; and if they are, with the blocks before
  // them.
  std::optional<Wrong> wrong_end(TxnId reader, List list, List own) const;
  std::optional<Wrong> wrong_blocks(TxnId reader, List list, List own, const std::vector<bool>& refuted);

  // Finds what the reads of transactions that count, or may, show of the version order; each of them is right
  // by itself.
  void observe(ReadFacts& facts) const;

 private:
  struct Element {
    TxnId writer, aborted;  // writer: not known to be aborted
    VersionId version;
    KeyValueId next;  // of its block
    bool is_first = false, repeated = false;
  };

  using Visit = std::function<void(const VersionOrder&)>;

  void index_appends(TxnId t, const Versions& versions);
  std::vector<OpId> longest_reads(
      const CountedTransactions& counted) const;  // by key, of transactions that count
  void observe_possible(ReadFacts& facts, const std::vector<OpId>& longest) const;
  // One version after another, as the read shows them; the last one, or the initial.
  VersionId follow(const Versions& versions, OpId read, std::vector<bool>& shown, const Visit& visit) const;
  bool has_whole_blocks(TxnId reader, List external, const std::vector<bool>& refuted);
  bool shows_first_of(List list, const Element& element) const;  // of its block
  Wrong name_wrong_blocks(TxnId reader, List external, const std::vector<bool>& refuted) const;

  const History& h_;
  std::vector<Element> elements_;       // by KeyValueId
  std::vector<std::uint32_t> seen_in_;  // by version: the list that showed it last
  std::uint32_t lists_seen_ = 0;
  bool has_repeated_ = false;
};

}  // namespace assay
