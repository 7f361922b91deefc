#include "check/learnt_reads.h"

#include <algorithm>

namespace assay {

std::optional<std::vector<LateRead>> LearntReads::fitting(HistoryFacts& known_facts, KnownOrder* known,
                                                          std::span<const NewRead> reads) {
  const ReadFacts& facts = *known_facts.repeatable();
  const History& h = known_facts.history();
  if (values_.empty()) values_ = version_values(h, facts);
  std::vector<LateRead> late;
  for (const NewRead& read : reads) {
    const auto of_reader = facts.of(read.reader);
    if (std::ranges::find(of_reader, read.key, &ReadFact::key) != of_reader.end()) return std::nullopt;
    LateRead added{
        read.reader, read.key,
        known ? known->possible_versions(read.key, read.reader) : all_versions(known_facts, read.key)};
    std::erase_if(added.candidates, [&](VersionId v) {
      const KeyValueId value = facts.is_initial(v) ? h.initial_value(read.key) : values_[v.index()];
      return facts.writer(v) == read.reader || value.is_none() || !read.fits(value);
    });
    if (added.candidates.empty()) return std::nullopt;
    late.push_back(std::move(added));
  }
  return late;
}

}  // namespace assay
