#include "dependency/late_reads.h"

#include <utility>

namespace assay {
namespace {

// Joins late reads of the same reader and key into one, with the candidates that all of them have.
void join_reads_of_one_key(std::vector<LateRead>& reads) {
  std::ranges::stable_sort(reads, {}, [](const LateRead& read) { return std::pair(read.reader, read.key); });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    std::ranges::sort(reads[i].candidates);
    if (kept > 0 && reads[kept - 1].reader == reads[i].reader && reads[kept - 1].key == reads[i].key) {
      std::erase_if(reads[kept - 1].candidates,
                    [&](VersionId v) { return !std::ranges::binary_search(reads[i].candidates, v); });
    } else {
      if (kept != i) reads[kept] = std::move(reads[i]);
      ++kept;
    }
  }
  reads.resize(kept);
}

}  // namespace

MovedReads add_late_reads(ReadFacts& facts, std::vector<LateRead> reads) {
  join_reads_of_one_key(reads);
  MovedReads moved;
  moved.candidates.assign(facts.candidates.size(), MovedReads::kGone);
  std::vector<OpenRead> open;
  std::vector<VersionId> candidates;
  open.reserve(facts.open.size() + reads.size());
  candidates.reserve(facts.candidates.size());
  const auto keep = [&](const OpenRead& old, const LateRead* late) {
    OpenRead read = old;
    read.first = static_cast<std::uint32_t>(candidates.size());
    for (std::uint32_t i = old.first; i < old.last; ++i) {
      if (late != nullptr && !std::ranges::binary_search(late->candidates, facts.candidates[i])) continue;
      moved.candidates[i] = static_cast<std::uint32_t>(candidates.size());
      candidates.push_back(facts.candidates[i]);
    }
    read.last = static_cast<std::uint32_t>(candidates.size());
    moved.open.push_back(static_cast<std::uint32_t>(open.size()));
    if (read.last - read.first < old.last - old.first) moved.changed.push_back(moved.open.back());
    open.push_back(read);
  };
  const auto add = [&](const LateRead& late) {
    const auto first = static_cast<std::uint32_t>(candidates.size());
    candidates.insert(candidates.end(), late.candidates.begin(), late.candidates.end());
    moved.changed.push_back(static_cast<std::uint32_t>(open.size()));
    open.push_back(
        {late.reader, OpId::none(), late.key, first, static_cast<std::uint32_t>(candidates.size())});
  };
  auto late = reads.begin();
  for (auto old = facts.open.begin(); old != facts.open.end() || late != reads.end();) {
    const TxnId reader = old == facts.open.end() ? late->reader
                         : late == reads.end()   ? old->reader
                                                 : std::min(old->reader, late->reader);
    const auto first_late = late;
    while (late != reads.end() && late->reader == reader) ++late;
    std::vector<bool> joined(static_cast<std::size_t>(late - first_late));
    for (; old != facts.open.end() && old->reader == reader; ++old) {
      const auto same = std::ranges::lower_bound(first_late, late, old->key, {}, &LateRead::key);
      const bool narrows = same != late && same->key == old->key;
      keep(*old, narrows ? &*same : nullptr);
      if (narrows) joined[static_cast<std::size_t>(same - first_late)] = true;
    }
    for (auto read = first_late; read != late; ++read)
      if (!joined[static_cast<std::size_t>(read - first_late)]) add(*read);
  }
  facts.open = std::move(open);
  facts.candidates = std::move(candidates);
  facts.has_sets = true;
  return moved;
}

std::vector<KeyValueId> version_values(const History& h, const ReadFacts& facts) {
  std::vector<KeyValueId> values(facts.writes.size());
  for (const TxnId t : h.transactions()) {
    const auto written = facts.written_by(t);
    if (written.empty()) continue;
    for (const OpId op : h.operations(t))  // the last write wins
      if (is_item_write(h.kind(op))) {
        const auto place = std::ranges::lower_bound(written, h.key(op)) - written.begin();
        values[facts.write_begin[t.index()] + static_cast<std::size_t>(place)] = h.value(op);
      }
  }
  return values;
}

}  // namespace assay
