// Checks the current execution against the reads and writes of one key, at levels with a total order.
//
// This makes the search lazy: it encodes a constraint only when the execution violates it. The order of two
// writers becomes a choice when a reader of the first comes after both. The writer of an open read becomes a
// choice when the read would return a version by none of its candidate writers. A condition on more than one
// choice becomes a clause.
//
// It suffices to compare each version with the next one of its key. A reader that comes after any later
// version comes after the next one too. And if two exclusive writers overlap, the later one also overlaps the
// writer just before it, which commits no earlier than the first.
#pragma once

#include "encoding/clauses.h"
#include "encoding/dirty_keys.h"
#include "encoding/key_orders.h"
#include "encoding/order_choices.h"
#include "encoding/version_choices.h"

namespace assay {

class KeyCheck {
 public:
  KeyCheck(const SearchProblem& problem, const DynamicOrder& execution, KeyOrders& orders, DirtyKeys& dirty,
           OrderChoices& order_choices, VersionChoices& version_choices, Clauses& clauses);

  // Checks all versions and open reads of a key.
  void check(KeyId key);
  // Checks the version at this index against the one before it.
  void check_pair(KeyId key, std::span<const VersionId> in_order, std::size_t i);
  // Handles a read that comes after its version was overwritten. Returns false if the resulting choice covers
  // all readers of the version.
  bool check_read(VersionId version, VersionId overwriting, TxnId reader, std::uint32_t read);
  // Checks a read with several candidate writers.
  void check_open_read(std::uint32_t read, std::span<const VersionId> in_order);
  // Checks the statements that report how many rows they changed.
  void check_counts();

 private:
  std::span<const VersionId> sort(KeyId key);
  void keep_those_that_take_place();
  void check_readers(VersionId version, VersionId next);
  void keep_apart(KeyId key, VersionId first, VersionId second);
  bool is_broken(std::uint32_t read, VersionId shown) const;
  void order_open_read(std::uint32_t read, VersionId chosen, VersionId overwriting);
  void order_known_read(std::uint32_t read, VersionId overwriting);

  static constexpr std::uint32_t kNothing = UINT32_MAX;

  const History& h_;
  const ReadFacts& facts_;
  const VersionIndex& versions_;
  const PointRules& rules_;
  const Points points_;
  const DynamicOrder& execution_;
  KeyOrders& orders_;
  DirtyKeys& dirty_;
  OrderChoices& order_choices_;
  VersionChoices& version_choices_;
  Clauses& clauses_;
  std::vector<std::uint32_t> decides_;  // by open read: its conditional write; empty if there are none
  std::vector<VersionId> in_order_;     // the versions of the current key, if its order is not kept
};

}  // namespace assay
