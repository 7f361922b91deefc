#include "encoding/key_orders.h"

namespace assay {

KeyOrders::KeyOrders(const SearchProblem& problem, DynamicOrder& execution)
    : h_(problem.history),
      facts_(problem.facts),
      versions_(problem.versions),
      points_(problem.points),
      execution_(execution),
      is_kept_(h_.key_count()),
      moved_(h_.transaction_count()) {
  kept_.resize_for_overwrite(versions_.versions.size());
}

std::vector<TxnId> KeyOrders::take_moved() {
  ++call_;
  std::vector<TxnId> moved;
  const auto moves = execution_.take_moved();
  // Backwards, so that the first move of a transaction is handled last and sets its original position.
  for (auto move = moves.rbegin(); move != moves.rend(); ++move) {
    const auto [node, from] = *move;
    if (!points_.is_point(node)) continue;
    const TxnId t = points_.txn(node);
    if (!facts_.counts[t.index()]) continue;
    const Place now = execution_.position(points_.commit(t));
    Moved& last = moved_[t.index()];
    if (last.call != call_) {
      last = {call_, now, now, now};
      moved.push_back(t);
    }
    if (node != points_.commit(t)) continue;
    last.from = from;
    last.low = std::min(last.low, from);
    last.high = std::max(last.high, from);
  }
  return moved;
}

// For a key without moved writers this is simply the current order.
void KeyOrders::sort_as_before(KeyId key) {
  const auto versions = slot(key);
  std::ranges::copy(versions_.of(key), versions.begin());
  std::ranges::sort(versions, {}, [&](VersionId v) { return place_before(facts_.writer(v)); });
  is_kept_[key.index()] = true;
}

void KeyOrders::keep_all_if_many(std::span<const TxnId> moved) {
  if (access_many_keys(moved)) keep_all();
}

bool KeyOrders::access_many_keys(std::span<const TxnId> moved) const {
  constexpr std::size_t kMany = 4;  // more than one in this many is many
  std::size_t accesses = 0;
  const auto access = [&](KeyId key) { accesses += !is_kept_[key.index()]; };
  for (const TxnId t : moved) {
    for (const KeyId key : facts_.written_by(t)) access(key);
    for (const ReadFact& read : facts_.of(t)) access(read.key);
  }
  return accesses * kMany > h_.key_count();
}

// One pass along the execution: this sorts the transactions instead of the versions of each key.
void KeyOrders::keep_all() {
  std::vector<std::pair<Place, TxnId>> in_order;
  for (const TxnId t : h_.transactions())
    if (facts_.counts[t.index()]) in_order.emplace_back(place_before(t), t);
  std::ranges::sort(in_order);
  std::vector<std::uint32_t> next(versions_.key_begin.begin(), versions_.key_begin.end() - 1);
  for (const auto& [place, t] : in_order)
    for (const VersionId v : facts_.versions_by(t))
      if (const std::size_t key = facts_.writes[v.index()].index(); !is_kept_[key]) kept_[next[key]++] = v;
  for (const KeyId key : h_.keys())
    if (may_be_kept(key)) is_kept_[key.index()] = true;
}

std::span<const VersionId> KeyOrders::sort(KeyId key) {
  const auto versions = slot(key);
  if (!is_kept_[key.index()]) std::ranges::copy(versions_.of(key), versions.begin());
  is_kept_[key.index()] = true;
  sort_versions(versions);
  return versions;
}

std::vector<KeyOrders::Stretch> KeyOrders::stretches(std::span<const TxnId> moved) const {
  std::vector<Stretch> stretches;
  for (const TxnId t : moved)
    for (const KeyId key : facts_.written_by(t))
      stretches.push_back({key, moved_[t.index()].low, moved_[t.index()].high});
  std::ranges::sort(stretches, {}, [](const Stretch& s) { return std::pair(s.key, s.low); });
  if (stretches.empty()) return stretches;
  auto last = stretches.begin();
  for (const Stretch& next : std::span(stretches).subspan(1))
    if (next.key == last->key && next.low <= last->high) last->high = std::max(last->high, next.high);
    else *++last = next;
  stretches.erase(last + 1, stretches.end());
  return stretches;
}

KeyOrders::Part KeyOrders::sort(const Stretch& stretch) {
  const auto versions = slot(stretch.key);
  const auto before = [&](VersionId v) { return place_before(facts_.writer(v)); };
  const auto first = std::ranges::lower_bound(versions, stretch.low, {}, before);
  const auto last = std::ranges::upper_bound(first, versions.end(), stretch.high, {}, before);
  std::ranges::sort(first, last, {}, [&](VersionId v) { return place(v); });
  const auto end = static_cast<std::size_t>(last - versions.begin());
  return {static_cast<std::size_t>(first - versions.begin()), std::min(end + 1, versions.size())};
}

}  // namespace assay
