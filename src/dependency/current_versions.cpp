#include "dependency/current_versions.h"

#include <algorithm>

namespace assay {

CurrentVersions::CurrentVersions(const History& history, const ReadFacts& facts, const PointRules& rules)
    : h_(history),
      facts_(facts),
      rules_(rules),
      keys_(history.key_count()),
      takes_place_(facts.conditional.size()),
      is_named_(history.key_count()) {
  guess_.is_broken.resize(history.key_count());
  for (const KeyId key : history.keys()) keys_[key.index()].current = facts.initial_version(key);
}

void CurrentVersions::snapshot(TxnId t) {
  for (const ReadFact& read : facts_.of(t))
    if (const VersionId shown = of(read.key); facts_.is_conditional(shown)) add_broken(read.key);
    else if (shown != read.version)
      broken_reads_.push_back({facts_.writer(shown), read.writer, !is_named_[read.key.index()], read.key});
  if (!broken_reads_.empty()) add_broken_reads();
  for (const OpenRead& read : open_of(t))
    if (std::ranges::find(facts_.candidates_of(read), of(read.key)) == facts_.candidates_of(read).end())
      add_broken(read.key);
  decide_conditional_writes(t);
  if (!rules_.exclusive) return;
  for (const KeyId key : facts_.written_by(t)) lock(key, t);
  for (const ConditionalWrite& write : conditional_by(t))
    if (takes_place_[facts_.place(write)]) lock(write.key, t);
}

void CurrentVersions::commit(TxnId t) {
  for (const VersionId version : facts_.versions_by(t)) {
    PerKey& key = keys_[facts_.writes[version.index()].index()];
    key.current = version;
    unlock(key, t);
  }
  for (const ConditionalWrite& write : conditional_by(t)) {
    PerKey& key = keys_[write.key.index()];
    if (takes_place_[facts_.place(write)]) key.current = facts_.conditional_version(facts_.place(write));
    unlock(key, t);
  }
}

// Decides the transaction's conditional writes by the current versions, and checks reported counts.
void CurrentVersions::decide_conditional_writes(TxnId t) {
  const auto writes = conditional_by(t);
  if (writes.empty()) return;
  for (const ConditionalWrite& write : writes)
    takes_place_[facts_.place(write)] = facts_.takes_place(h_, write, of(write.key));
  for (auto counted =
           std::ranges::lower_bound(facts_.counted, facts_.place(writes.front()), {}, &CountedWrites::first);
       counted != facts_.counted.end() && counted->first <= facts_.place(writes.back()); ++counted) {
    const auto first = takes_place_.begin() + counted->first, last = takes_place_.begin() + counted->last;
    if (static_cast<std::uint64_t>(std::count(first, last, true)) != counted->count)
      add_broken(facts_.conditional[counted->first].key);
  }
}

void CurrentVersions::lock(KeyId key, TxnId t) {
  if (!locked_by(key).is_none()) add_broken(key);
  keys_[key.index()].locked_by = t;
}

void CurrentVersions::add_broken(KeyId key) {
  if (is_named_[key.index()]) return;
  is_named_[key.index()] = true;
  guess_.is_broken[key.index()] = true;
  guess_.broken.push_back(key);
}

// Several reads of a transaction may be broken because the same transaction comes between the reader and the
// same writer. Lists the key of only one of them: an order that moves the transaction in between repairs all
// of these reads or breaks them differently.
void CurrentVersions::add_broken_reads() {
  std::ranges::sort(broken_reads_);
  const BrokenRead* last = nullptr;
  for (const BrokenRead& read : broken_reads_) {
    guess_.is_broken[read.key.index()] = true;
    if (last == nullptr || last->shown != read.shown || last->writer != read.writer) add_broken(read.key);
    last = &read;
  }
  broken_reads_.clear();
}

}  // namespace assay
