// The order of each key's versions in the execution at hand, at levels with a total order.
//
// The execution is the order of points that the acyclicity theory keeps. A search changes it a little at a
// time, and sorting all keys again after each change would cost more than the change. So the versions of a
// key are sorted once and then kept. After a change, only the stretches that its writers moved in are sorted
// again. The kept order finds a stretch by the places that writers had before they moved.
//
// Some keys have versions that come and go: those of transactions of unknown outcome and of conditional
// writes. Their order is not kept, but sorted whenever it is needed.
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

  // Transactions that count and that moved since the last call. Kept orders stay as they were until their
  // stretches are sorted.
  std::vector<TxnId> take_moved();
  // Where the version's commit is in the execution.
  Place place(VersionId v) const { return execution_.position(points_.commit(facts_.writer(v))); }

  bool may_be_kept(KeyId key) const {
    return versions_.possible_of(key).empty() && versions_.conditional_of(key).empty();
  }
  // The kept order, which may be that before transactions moved.
  std::span<const VersionId> kept(KeyId key) const {
    return {kept_.data() + versions_.key_begin[key.index()], versions_.of(key).size()};
  }
  // Begins to keep the order of a key, as it was before transactions moved.
  void keep(KeyId key) {
    if (!is_kept_[key.index()]) sort_as_before(key);
  }
  // Begins to keep those of all keys, if the transactions access many of which it is not kept yet.
  void keep_all_if_many(std::span<const TxnId> moved);

  // Sorts all of a key's versions, and keeps their order. Requires may_be_kept().
  std::span<const VersionId> sort(KeyId key);
  // Puts any versions in order.
  void sort_versions(std::span<VersionId> versions) const {
    std::ranges::sort(versions, {}, [&](VersionId v) { return place(v); });
  }

  // A part of a key's order that its writers moved in, by places.
  struct Stretch {
    KeyId key;
    Place low, high;
  };
  // Those of each key that the transactions wrote to, in order; they do not overlap. Where many changes were
  // made at once, stretches are short and far apart.
  std::vector<Stretch> stretches(std::span<const TxnId> moved) const;
  // Sorts a stretch of a kept order. Returns the indices of the versions that may follow another one now:
  // those of the stretch and the one after it; `last` is not included.
  struct Part {
    std::size_t first, last;
  };
  Part sort(const Stretch& stretch);

  // What the execution shows to an open read, if these are the versions of its key in order.
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
  // Where its commit was before it moved.
  Place place_before(TxnId t) const {
    const Moved& moved = moved_[t.index()];
    return moved.call == call_ ? moved.from : execution_.position(points_.commit(t));
  }
  void sort_as_before(KeyId key);
  bool access_many_keys(std::span<const TxnId> moved) const;
  void keep_all();

  struct Moved {
    std::uint32_t call = 0;   // the last call of take_moved() that it had moved for
    Place from = 0;           // its commit, before that
    Place low = 0, high = 0;  // between these it was since then
  };

  const History& h_;
  const ReadFacts& facts_;
  const VersionIndex& versions_;
  const Points points_;
  DynamicOrder& execution_;
  Column<VersionId> kept_;     // where VersionIndex::versions has the key's versions
  std::vector<bool> is_kept_;  // by key
  std::vector<Moved> moved_;   // by transaction
  std::uint32_t call_ = 0;     // of take_moved()
};

}  // namespace assay
