#include "dependency/stale_in_time.h"

#include <algorithm>

#include "isolation/real_time.h"

namespace assay {
namespace {

struct Writer {
  std::int64_t committed;  // at the latest
  std::int64_t began;      // at the earliest
  TxnId txn;
};

class StaleReads {
 public:
  StaleReads(const History& history, const ReadFacts& facts, const VersionIndex& versions,
             const PointRules& rules)
      : h_(history), facts_(facts), versions_(versions), rules_(rules) {}

  std::optional<StaleRead> of_key(KeyId key) {
    list_writers(key);
    if (writers_.empty()) return std::nullopt;
    const VersionId initial = facts_.initial_version(key);
    if (auto stale = of_version(initial)) return stale;
    for (const VersionId version : versions_.of(key))
      if (auto stale = of_version(version)) return stale;
    return std::nullopt;
  }

 private:
  // Sorts the writers by their commits. Replaces each by the one among it and its predecessors that began
  // last: if any of them overwrites a version, that one does.
  void list_writers(KeyId key) {
    writers_.clear();
    for (const VersionId version : versions_.of(key)) {
      const TxnId t = facts_.writer(version);
      const Bounds commit = bounds(h_, t, true, rules_), snapshot = bounds(h_, t, false, rules_);
      if (commit.latest && snapshot.earliest) writers_.push_back({*commit.latest, *snapshot.earliest, t});
    }
    std::ranges::sort(writers_, {}, &Writer::committed);
    for (std::size_t i = 1; i < writers_.size(); ++i)
      if (writers_[i].began < writers_[i - 1].began) {
        writers_[i].began = writers_[i - 1].began;
        writers_[i].txn = writers_[i - 1].txn;
      }
  }

  std::optional<StaleRead> of_version(VersionId version) const {
    const bool is_initial = facts_.is_initial(version);
    const Bounds written = is_initial ? Bounds{} : bounds(h_, facts_.writer(version), true, rules_);
    if (!is_initial && !written.latest) return std::nullopt;
    for (const std::uint32_t i : versions_.reads_of(version)) {
      const ReadFact& read = facts_.reads[i];
      const Bounds snapshot = bounds(h_, read.reader, false, rules_);
      const auto after = std::ranges::partition_point(writers_, [&](const Writer& w) {
        return precedes({{}, w.committed}, snapshot, rules_.real_time.skew);
      });
      if (after == writers_.begin()) continue;
      const Writer& last = *(after - 1);
      if (is_initial || precedes(written, {last.began, {}}, rules_.real_time.skew))
        return StaleRead{read, last.txn};
    }
    return std::nullopt;
  }

  const History& h_;
  const ReadFacts& facts_;
  const VersionIndex& versions_;
  const PointRules& rules_;
  std::vector<Writer> writers_;  // of the current key
};

}  // namespace

std::optional<StaleRead> find_stale_in_time(const History& history, const ReadFacts& facts,
                                            const VersionIndex& versions, const PointRules& rules,
                                            Budget& budget) {
  if (!has_real_time(rules, true, false)) return std::nullopt;
  StaleReads stale(history, facts, versions, rules);
  for (const KeyId key : history.keys()) {
    if (budget.is_spent()) return std::nullopt;
    if (auto found = stale.of_key(key)) return found;
  }
  return std::nullopt;
}

}  // namespace assay
