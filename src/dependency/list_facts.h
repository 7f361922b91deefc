// Lists: what a read shows of the versions of its key, and of their order.
//
// The appends of a transaction to a key form one version: a block of elements. A list read is right if it
// consists of whole blocks of transactions that may have committed, followed by the elements that the reader
// has appended so far. What comes before these own elements is the external part. It was read from the writer
// of its last block. All reads of a key must be prefixes of its longest read, which therefore shows all that
// is known of the version order: its blocks follow one another, and every other append to the key comes after
// them. An order that only a transaction which may count has read holds if that transaction counts.
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
    TxnId other;  // the writer of the element at fault, or none
  };

  // Does nothing for a history without lists.
  Lists(const History& history, const Versions& versions);

  TxnId writer(KeyValueId element) const { return elements_[element.index()].writer; }
  VersionId version(KeyValueId element) const { return elements_[element.index()].version; }
  // An element that was appended more than once: a read of it does not show whose append it is.
  bool has_repeated() const { return has_repeated_; }
  bool is_repeated(KeyValueId element) const { return elements_[element.index()].repeated; }

  // wrong_end() returns what is wrong with a list that does not end with the elements `own`. wrong_blocks()
  // requires that it does, and returns what is wrong with the blocks before them.
  std::optional<Wrong> wrong_end(TxnId reader, List list, List own) const;
  std::optional<Wrong> wrong_blocks(TxnId reader, List list, List own, const std::vector<bool>& refuted);

  // Adds the version orders that list reads show, if their transactions count or may count. Each read must be
  // right by itself.
  void observe(ReadFacts& facts) const;

 private:
  struct Element {
    TxnId writer, aborted;  // writer: not known to have aborted
    VersionId version;
    KeyValueId next;  // the next element of its block
    bool is_first = false, repeated = false;
  };

  using Visit = std::function<void(const VersionOrder&)>;

  void index_appends(TxnId t, const Versions& versions);
  std::vector<OpId> longest_reads(
      const CountedTransactions& counted) const;  // by key, of transactions that count
  void observe_possible(ReadFacts& facts, const std::vector<OpId>& longest) const;
  // Calls visit for each pair of successive versions that the read shows. Returns the last version, or the
  // initial one if the list is empty.
  VersionId follow(const Versions& versions, OpId read, std::vector<bool>& shown, const Visit& visit) const;
  bool has_whole_blocks(TxnId reader, List external, const std::vector<bool>& refuted);
  bool shows_first_of(List list, const Element& element) const;  // the first element of its block
  Wrong name_wrong_blocks(TxnId reader, List external, const std::vector<bool>& refuted) const;

  const History& h_;
  std::vector<Element> elements_;       // by KeyValueId
  std::vector<std::uint32_t> seen_in_;  // by version: the number of the last list that showed it
  std::uint32_t lists_seen_ = 0;
  bool has_repeated_ = false;
};

}  // namespace assay
