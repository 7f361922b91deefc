// Checks the execution at hand against the reads and writes of one key, at levels with a total order.
//
// This is where the search is lazy. The order of two writers becomes a choice when a reader of the first
// comes after both, and the writer of an open read when the execution shows the read none of its possible
// writers. What depends on more than one choice becomes a clause.
//
// It is enough to compare each version with the next one of its key. A reader that comes after any later
// version comes after the next one too. Two exclusive writers that overlap have all writers of the key
// between them, and the later one overlaps the one just before it as well.
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

  // All of a key.
  void check(KeyId key);
  // The version at this index and the one before it.
  void check_pair(KeyId key, std::span<const VersionId> in_order, std::size_t i);
  // The read sees a version that was overwritten before it. False: the choice that was made covers all
  // readers of the version.
  bool check_read(VersionId version, VersionId overwriting, TxnId reader, std::uint32_t read);
  // A read with several possible writers.
  void check_open_read(std::uint32_t read, std::span<const VersionId> in_order);
  // Statements that say how many rows they changed.
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
  std::vector<std::uint32_t> decides_;  // by open read: its conditional write, if there are any
  std::vector<VersionId> in_order_;     // of the key at hand, if its order is not kept
};

}  // namespace assay
