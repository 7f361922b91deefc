#include "dependency/crowded_reads.h"

#include <algorithm>

#include "graph/matching.h"

namespace assay {
namespace {

// The reads of a key whose transactions write it too, and the versions that they can have read.
class Updates {
 public:
  Updates(const ReadFacts& facts, const VersionIndex& versions)
      : facts_(facts),
        versions_(versions),
        number_(facts.writes.size() + facts.keys + facts.conditional.size(), kNone) {}

  void collect(KeyId key, const std::function<bool(std::uint32_t)>& is_excluded) {
    clear();
    for (const std::uint32_t place : versions_.open_of(key)) {
      const OpenRead& read = facts_.open[place];
      if (!facts_.counts[read.reader.index()] || !facts_.writes_key(read.reader, key)) continue;
      reads_.push_back(read.op);
      for (std::uint32_t i = read.first; i < read.last; ++i)
        if (!is_excluded(i)) add(facts_.candidates[i]);
      end_.push_back(candidates_.size());
    }
    for (const VersionId version : versions_.of(key)) add_known_reads_of(version);
    add_known_reads_of(facts_.initial_version(key));
  }

  // Reads that have fewer candidates together than they are; empty if there are none.
  std::vector<OpId> crowded(Budget& budget) const {
    if (reads_.size() < 2) return {};
    Matching matching(seen_.size());
    std::size_t begin = 0;
    for (const std::size_t end : end_) {
      if (matching.add({candidates_.data() + begin, end - begin}, budget)) {
        begin = end;
        continue;
      }
      std::vector<OpId> crowded;
      for (const std::uint32_t read : matching.crowded()) crowded.push_back(reads_[read]);
      std::ranges::sort(crowded);
      return crowded;
    }
    return {};
  }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  void clear() {
    for (const VersionId version : seen_) number_[version.index()] = kNone;
    seen_.clear(), reads_.clear(), end_.clear(), candidates_.clear();
  }

  void add(VersionId version) {
    std::uint32_t& number = number_[version.index()];
    if (number == kNone) {
      number = static_cast<std::uint32_t>(seen_.size());
      seen_.push_back(version);
    }
    candidates_.push_back(number);
  }

  // A known read of a version takes it away from the open ones.
  void add_known_reads_of(VersionId version) {
    const auto readers = versions_.readers_of(version);
    for (std::size_t i = 0; i < readers.size(); ++i) {
      if (!facts_.writes_key(readers[i], facts_.key(version))) continue;
      reads_.push_back(facts_.reads[versions_.reads_of(version)[i]].op);
      add(version);
      end_.push_back(candidates_.size());
    }
  }

  const ReadFacts& facts_;
  const VersionIndex& versions_;
  std::vector<std::uint32_t> number_;  // by version: its number as a right node of the matching
  std::vector<VersionId> seen_;        // by that number
  std::vector<OpId> reads_;
  std::vector<std::size_t> end_;  // by read: where its candidates end
  std::vector<std::uint32_t> candidates_;
};

}  // namespace

std::vector<OpId> find_crowded_reads(const ReadFacts& facts, const VersionIndex& versions,
                                     const std::function<bool(std::uint32_t)>& is_excluded, Budget& budget) {
  Updates updates(facts, versions);
  for (std::size_t key = 0; key < facts.keys && !budget.is_spent(); ++key) {
    updates.collect(KeyId(key), is_excluded);
    if (auto crowded = updates.crowded(budget); !crowded.empty()) return crowded;
  }
  return {};
}

}  // namespace assay
