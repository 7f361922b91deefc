// Keeps the order of each key's versions in the current execution, at levels with a total order.
//
// The execution is the order of points that the acyclicity theory keeps. A search changes it a little at a
// time, and sorting all keys after each change would cost more than the change. So the versions of a key are
// sorted once. After a change, only the stretches that its writers moved in are sorted again; a stretch is
// found in the kept order by the positions of the writers before they moved.
//
// Some keys have versions that exist only in some executions: those of transactions of unknown outcome and of
// conditional writes. The versions of such a key are sorted each time they are needed.
#pragma once

#include <algorithm>

#include "base/column.h"
#include "encoding/search_problem.h"
#include "graph/dynamic_order.h"

namespace assay {

class KeyOrders {
 public:
  using Place = DynamicOrder::Place;

  KeyOrders(const SearchProblem& problem, DynamicOrder& execution);

  // The counting transactions that moved since the last call. Kept orders stay unchanged until their
  // stretches are sorted.
  std::vector<TxnId> take_moved();
  // The position of the version's commit in the execution.
  Place place(VersionId v) const { return execution_.position(points_.commit(facts_.writer(v))); }

  bool may_be_kept(KeyId key) const {
    return versions_.possible_of(key).empty() && versions_.conditional_of(key).empty();
  }
  // The kept order, which may date from before transactions moved.
  std::span<const VersionId> kept(KeyId key) const {
    return {kept_.data() + versions_.key_begin[key.index()], versions_.of(key).size()};
  }
  // Starts to keep the order of a key, as it was before transactions moved.
  void keep(KeyId key) {
    if (!is_kept_[key.index()]) sort_as_before(key);
  }
  // Starts to keep the order of all keys if the transactions access many keys without one.
  void keep_all_if_many(std::span<const TxnId> moved);

  // Sorts all versions of a key, and keeps their order. Requires may_be_kept().
  std::span<const VersionId> sort(KeyId key);
  // Sorts any versions by their positions.
  void sort_versions(std::span<VersionId> versions) const {
    std::ranges::sort(versions, {}, [&](VersionId v) { return place(v); });
  }

  // A range of positions in which writers of a key moved.
  struct Stretch {
    KeyId key;
    Place low, high;
  };
  // The stretches of the keys that the transactions wrote, sorted and disjoint. After many changes at once
  // they are short and far apart.
  std::vector<Stretch> stretches(std::span<const TxnId> moved) const;
  // Sorts a stretch of a kept order. Returns the indices of the versions whose predecessor may have changed:
  // those of the stretch and the one after it, `last` excluded.
  struct Part {
    std::size_t first, last;
  };
  Part sort(const Stretch& stretch);

  // The version that an open read returns in the execution, given the versions of its key in order.
  VersionId shown(const OpenRead& read, std::span<const VersionId> in_order) const {
    const Place snapshot = execution_.position(points_.snapshot(read.reader));
    const auto later =
        std::ranges::partition_point(in_order, [&](VersionId v) { return place(v) < snapshot; });
    return later == in_order.begin() ? facts_.initial_version(read.key) : later[-1];
  }

 private:
  std::span<VersionId> slot(KeyId key) {
    return {kept_.data() + versions_.key_begin[key.index()], versions_.of(key).size()};
  }
  // The position of its commit before it moved.
  Place place_before(TxnId t) const {
    const Moved& moved = moved_[t.index()];
    return moved.call == call_ ? moved.from : execution_.position(points_.commit(t));
  }
  void sort_as_before(KeyId key);
  bool access_many_keys(std::span<const TxnId> moved) const;
  void keep_all();

  struct Moved {
    std::uint32_t call = 0;   // the last call of take_moved() that reported it
    Place from = 0;           // the position of its commit before that
    Place low = 0, high = 0;  // the range of its positions since then
  };

  const History& h_;
  const ReadFacts& facts_;
  const VersionIndex& versions_;
  const Points points_;
  DynamicOrder& execution_;
  Column<VersionId> kept_;     // the order of each key, at the same indices as in VersionIndex::versions
  std::vector<bool> is_kept_;  // by key: kept_ has its order
  std::vector<Moved> moved_;   // by transaction
  std::uint32_t call_ = 0;     // calls of take_moved() so far
};

}  // namespace assay
